import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DecisionMark,
  type DecisionMarkValue,
  decisionMarkValue,
  decisionSettings,
  outcomesOf,
} from '@heterosis/contracts/work/decisions';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDecision } from '../../src/features/work/decisions/decisions.queries.ts';
import {
  type Person,
  type Product,
  type Project,
  startProduct,
  startServerProcess,
  until,
} from '../../src/testing/product.ts';

// People mark the same lines at once while the server is killed: nothing is lost, and all see the same.

const PEOPLE = 10;
const LINES = 300;
/** What five minutes hold: a mark every half second of everybody, each line twice. */
const MARKS = 600;
const MOST_IN_BATCH = 6;
/** Of an event to a browser, and of what the browser reads then. */
const MOST_BEHIND_MS = 2_000;

let product: Product;
let people: Person[];
let project: Project;
let server: ChildProcess | undefined;
let decision: string;

beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  const owner = await product.person('person-0');
  project = await product.project(owner);
  people = [owner];
  for (let k = 1; k < PEOPLE; k++) {
    const person = await product.person(`person-${k}`);
    await product.join(project, person, 'MEMBER');
    people.push(person);
  }
  const figures = Array.from({ length: LINES }, (_, i) => i);
  decision = await insertDecision(
    product.services.db,
    {
      ...{ projectId: project.projectId, createdBy: owner.userId, name: 'Meeting', description: null, columns: [] },
      ...{ source: { kind: 'list', id: project.projectId, name: 'All' }, settings: decisionSettings.parse({}) },
      ...{ relationships: null, error_covariances: null },
      computed: {
        ...{ index: figures, beatsCheck: [], beatsEvery: [], beatsEveryError: 0, amongBest: [], notes: [] },
      },
    },
    figures.map((i) => ({
      ...{ name: `L${i}`, germplasm_id: null, family: null, values: [], ses: [], reliabilities: [] },
    })),
  );
}, 60_000);
afterAll(async () => {
  server?.kill('SIGKILL');
  await product.close();
});

interface Sent {
  id: string;
  line: number;
  mark: DecisionMarkValue;
  reason: string;
  marked_at: string;
}

function marksOf(person: number): Sent[] {
  const begin = Date.parse('2026-11-01T08:00:00Z');
  return Array.from({ length: MARKS }, (_, k) => ({
    ...{ id: randomUUID(), line: ((k * 7 + person * 31) % LINES) + 1, reason: `${person}.${k}` },
    mark: decisionMarkValue.options[(k * 3 + person) % 4] ?? 'HOLD',
    marked_at: new Date(begin + 1000 * k).toISOString(),
  }));
}

async function startServer(port: string): Promise<{ child: ChildProcess; address: string }> {
  const started = await startServerProcess(product, port);
  server = started.child;
  return started;
}

test(`${PEOPLE} people mark ${LINES} lines at once while the server is killed twice: every mark kept, all see the same`, {
  tags: 'whole',
  timeout: 600_000,
}, async () => {
  const address = `${project.address}/decisions/${decision}`;
  let { child, address: origin } = await startServer('0');
  const { port } = new URL(origin);
  let acknowledged = 0;
  let repeated = 0;
  let last = 0;
  const isDone = { value: false };
  const bearer = (person: Person) => ({ authorization: `Bearer ${person.token}` });

  /** Sends until the server says that it has them, as a page does. */
  async function send(person: Person, marks: Sent[], more: boolean): Promise<void> {
    for (;;) {
      const answer = await fetch(`${origin}${address}/marks`, {
        method: 'POST',
        headers: { ...bearer(person), 'content-type': 'application/json' },
        body: JSON.stringify({ marks, version: 1 }),
      }).catch(() => undefined);
      const body = (await answer?.json().catch(() => undefined)) as { known: number; last: number } | undefined;
      if (answer?.status === 200 && body !== undefined) {
        repeated += body.known;
        last = Math.max(last, body.last);
        if (more) acknowledged += marks.length;
        for (const { id } of marks) if (!acknowledgedAt.has(id)) acknowledgedAt.set(id, performance.now());
        return;
      }
      if (answer !== undefined && answer.status < 500 && answer.status !== 429)
        throw new Error(`${answer.status} ${JSON.stringify(body)}`);
      await sleep(50 + 100 * Math.random());
    }
  }

  /** When the server said that it has a mark, and when each person who watches had seen it. */
  const acknowledgedAt = new Map<string, number>();
  const behind: number[] = [];
  /** Of what was acknowledged shortly before a kill, or before the server had answered again for a moment. */
  const behindAtKills: number[] = [];
  const away: { from: number; to: number }[] = [];
  const isDisturbed = (at: number): boolean => away.some(({ from, to }) => at > from && at < to);

  /** Reads on from the last place once the stream tells of a change, as a page does, until it has all. */
  async function watch(person: Person): Promise<DecisionMark[]> {
    const seen: DecisionMark[] = [];
    const hasAll = () => isDone.value && (seen.at(-1)?.place ?? 0) >= last;
    async function readOn(): Promise<void> {
      const after = seen.at(-1)?.place ?? 0;
      const answer = await fetch(`${origin}${address}/marks?after=${after}`, { headers: bearer(person) });
      if (!answer.ok) throw new Error(`${answer.status}`);
      const body = (await answer.json()) as { data?: DecisionMark[] };
      const now = performance.now();
      for (const mark of body.data ?? []) {
        seen.push(mark);
        const at = acknowledgedAt.get(mark.id) ?? now;
        (isDisturbed(at) ? behindAtKills : behind).push(now - at);
      }
    }
    while (!hasAll()) {
      const listening = new AbortController();
      const ended = until(async () => hasAll(), Boolean, 600_000).then(() => listening.abort());
      try {
        const stream = await fetch(`${origin}/api/events`, { headers: bearer(person), signal: listening.signal });
        // What came while nobody listened.
        await readOn();
        const decoder = new TextDecoder();
        // At once when it is told, and then once a second at the most, as a page does.
        let isTold = false;
        let reading: Promise<void> | undefined;
        const readAll = async (): Promise<void> => {
          while (isTold) {
            isTold = false;
            await readOn();
            await sleep(1_000);
          }
          reading = undefined;
        };
        for await (const chunk of stream.body ?? []) {
          if (!/^data:/m.test(decoder.decode(chunk))) continue;
          isTold = true;
          reading ??= readAll().catch(() => listening.abort());
        }
        await reading;
      } catch {
        // The server is away, or all is read: a page connects again after a moment.
        await sleep(100);
      }
      listening.abort();
      if (hasAll()) await ended;
    }
    return seen;
  }

  const sent = people.map((_, k) => marksOf(k));
  const meeting = people.map(async (person, k) => {
    const own = sent[k] ?? [];
    for (let first = 0, n = k; first < own.length; n++) {
      // Most marks go alone.
      const batch = own.slice(first, first + (n % 3 === 0 ? MOST_IN_BATCH : 1));
      first += batch.length;
      await send(person, batch, true);
      // Some answers get lost on the way, so the page sends again.
      if (n % 5 === 0) await send(person, batch, false);
    }
  });
  const watching = people.map(watch);
  const killed = (async () => {
    for (const share of [0.25, 0.6]) {
      await until(
        async () => acknowledged,
        (count) => count >= share * PEOPLE * MARKS,
        600_000,
      );
      const outage = { from: performance.now() - MOST_BEHIND_MS, to: Number.POSITIVE_INFINITY };
      away.push(outage);
      child.kill('SIGKILL');
      await once(child, 'exit');
      ({ child, address: origin } = await startServer(port));
      outage.to = performance.now() + MOST_BEHIND_MS;
    }
  })();
  await Promise.all([...meeting, killed]);
  const ended = performance.now();
  isDone.value = true;
  const views = await Promise.all(watching);
  const agreed = performance.now() - ended;

  const total = PEOPLE * MARKS;
  expect(acknowledged).toBe(total);
  expect(repeated).toBeGreaterThan(0);
  expect(last).toBe(total);
  const { rows } = await sql<{ stored: number; places: number }>`
    select count(*)::int as stored, count(distinct place)::int as places from decision_marks
    where decision_id = ${decision}
  `.execute(product.services.db);
  expect(rows).toEqual([{ stored: total, places: total }]);
  const [first, ...others] = views.map((view) => outcomesOf(view));
  for (const other of others) expect(other).toEqual(first);
  // Of each person the last thought counts, and it is named.
  for (const [k, own] of sent.entries()) {
    const lastOf = new Map(own.map((mark) => [mark.line, mark]));
    for (const [line, { mark, reason }] of lastOf) {
      const said = first?.get(line)?.marks.find(({ person_id: id }) => id === people[k]?.userId);
      expect([said?.mark, said?.reason]).toEqual([mark, reason]);
    }
  }
  const { counts } = (await people[0]?.call('GET', address))?.body ?? {};
  const disagreed = [...(first?.values() ?? [])].filter((one) => one.isDisagreed).length;
  expect(counts).toMatchObject({ disagreed });
  expect(counts.ADVANCE + counts.HOLD + counts.DROP + counts.UNDECIDED).toBe(LINES);
  expect(agreed).toBeLessThan(MOST_BEHIND_MS);
  // All but what was on its way when the server was killed is seen by everybody within two seconds.
  const quantile = (of: readonly number[], share: number): number =>
    Math.round(of.toSorted((a, b) => a - b)[Math.floor(share * (of.length - 1))] ?? 0);
  process.stdout.write(
    `${total} marks, ${repeated} sent again; seen after ${quantile(behind, 0.5)} ms (median), ${quantile(behind, 0.99)} ms (99 %); ${behindAtKills.length} of ${behind.length + behindAtKills.length} around kills, after ${quantile(behindAtKills, 1)} ms at the most; all agree ${Math.round(agreed)} ms after the last mark\n`,
  );
  expect(quantile(behind, 1)).toBeLessThan(MOST_BEHIND_MS);
});
