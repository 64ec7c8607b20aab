import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, startBenchProduct } from './bench-product.ts';
import { inspectable, openLiveHeap } from './live-heap.ts';

/**
 * What a thousand guests of the demo cost: memory of the server while each keeps its connection, in use (after its
 * garbage has been collected) and resident (with garbage, and with room that V8 keeps after a thousand visits: a server
 * that nobody has used yet grows by that whoever comes), and the reads of
 * somebody who works there, alone, beside the guests as they look, and beside them as each asks for something every
 * half minute. Goals: 50 MB, and not a millisecond at p99. Guests have no stream of events. Each comes from a network
 * of its own, because the calls of guests of one network are counted together.
 */
const GUESTS = 1000;
const MOST_MB = 50;
const INSPECTOR_PORT = 9391;
const READS = 400;
const READ_EVERY_MS = 30;
const GUEST_ASKS_EVERY_MS = 30_000;
const ROUNDS = 2;

const product = await startBenchProduct({ DEMO: 'on', TRUST_PROXY: '127.0.0.1/32', ...inspectable(INSPECTOR_PORT) });
const { address } = product;

/** Resident, of the server: api and worker in one process, without PostgreSQL. */
function memoryMb(): number {
  const status = readFileSync(`/proc/${product.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

interface Guest {
  ask: (path: string) => Promise<void>;
  leave: () => void;
}

async function openGuest(place: number): Promise<Guest> {
  // One connection a guest, as a browser that has nothing more to ask.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method: string, path: string, authorization?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = {
        'x-forwarded-for': `10.${place >> 8}.${place & 255}.1`,
        ...(authorization === undefined ? {} : { authorization }),
      };
      const sent = request(`${address}/api${path}`, { method, agent, headers }, (answer) => {
        text(answer).then(
          (body) =>
            answer.statusCode === 200 ? resolve(body) : reject(new Error(`${path}: ${answer.statusCode} ${body}`)),
          reject,
        );
      });
      sent.on('error', reject).end();
    });
  const session: { access_token: string; project_id: string } = JSON.parse(await send('POST', '/auth/guest'));
  const ask = async (path: string): Promise<void> => {
    await send('GET', `/projects/${session.project_id}${path}`, `Bearer ${session.access_token}`);
  };
  for (const path of ['', '/overview', '/gwas', '/models']) await ask(path);
  return { ask, leave: () => agent.destroy() };
}

const open = async (from: number, count: number): Promise<Guest[]> => {
  const guests: Guest[] = [];
  for (let k = 0; k < count; k += 20)
    guests.push(
      ...(await Promise.all(Array.from({ length: Math.min(20, count - k) }, (_, i) => openGuest(from + k + i)))),
    );
  return guests;
};

/** Milliseconds of each read of somebody who works there. */
async function reads(authorization: string): Promise<number[]> {
  const times: number[] = [];
  for (let k = 0; k < READS; k++) {
    const begin = performance.now();
    await call(`${address}/api/projects`, 'GET', undefined, authorization);
    times.push(performance.now() - begin);
    await sleep(READ_EVERY_MS);
  }
  return times;
}

const quantile = (times: readonly number[], share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(share * times.length)] ?? Number.NaN).toFixed(1);

try {
  const authorization = await product.signIn();
  for (;;) {
    const answer = await fetch(`${address}/api/auth/guest`, { method: 'POST' });
    if (answer.ok) break;
    await sleep(500);
  }
  // What any use of the server brings into memory is there before it is measured.
  for (const guest of await open(60_000, 50)) guest.leave();
  await reads(authorization);
  const heap = await openLiveHeap(product.process.pid ?? 0, INSPECTOR_PORT);
  const times = { alone: [] as number[], looking: [] as number[], asking: [] as number[] };
  const grown: number[] = [];
  const kept: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.alone.push(...(await reads(authorization)));
    const live = await heap.measure();
    const before = memoryMb();
    const guests = await open(round * GUESTS, GUESTS);
    await sleep(5000);
    grown.push(memoryMb() - before);
    kept.push((await heap.measure()) - live);
    process.stdout.write(
      `${GUESTS} guests: ${kept.at(-1)?.toFixed(1)} MB more in use of ${live.toFixed(0)}; resident ` +
        `${(before + (grown.at(-1) ?? 0)).toFixed(0)} MB, ${grown.at(-1)?.toFixed(1)} MB more, ` +
        `${(memoryMb() - before).toFixed(1)} once its garbage was collected\n`,
    );
    times.looking.push(...(await reads(authorization)));
    const failed: unknown[] = [];
    const asking = guests.map((guest, k) => {
      const begin = setTimeout(
        () => {
          timers.push(
            setInterval(() => guest.ask('/overview').catch((error) => failed.push(error)), GUEST_ASKS_EVERY_MS),
          );
          guest.ask('/overview').catch((error) => failed.push(error));
        },
        (k * GUEST_ASKS_EVERY_MS) / guests.length,
      );
      return begin;
    });
    const timers: NodeJS.Timeout[] = [];
    times.asking.push(...(await reads(authorization)));
    for (const timer of [...asking, ...timers]) clearTimeout(timer);
    for (const guest of guests) guest.leave();
    if (failed.length > 0) throw failed[0];
    await sleep(5000);
  }
  for (const [how, all] of Object.entries(times))
    process.stdout.write(
      `${how}: p50 ${quantile(all, 0.5)} ms, p99 ${quantile(all, 0.99)} ms of ${all.length} reads\n`,
    );
  process.stdout.write(
    `${GUESTS} guests: ${kept.map((mb) => mb.toFixed(1)).join(', ')} MB in use in ${ROUNDS} rounds (goal ${MOST_MB}), ` +
      `resident ${grown.map((mb) => mb.toFixed(1)).join(', ')} MB; server ${memoryMb().toFixed(0)} MB after; load of the machine ${loadavg()[0]?.toFixed(1)}\n`,
  );
  heap.close();
  process.exitCode = Math.max(...kept) < MOST_MB ? 0 : 1;
} finally {
  await product.stop();
}
