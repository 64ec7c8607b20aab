import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Person,
  type Product,
  type Project,
  startProduct,
  startServerProcess,
  until,
} from '../../src/testing/product.ts';

// Devices in the field send what they measured while the server is killed: nothing is lost, doubled or hidden.

const DEVICES = 20;
const VALUES_OF_DEVICE = 500;
/** Of them: what the neighbouring device measured too, otherwise. */
const SHARED = 50;
const BATCH = 25;

let product: Product;
let owner: Person;
let project: Project;
let server: ChildProcess | undefined;

beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  owner = await product.person('olga');
  project = await product.project(owner);
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name)
    select gen_random_uuid(), organization_id, crop_id, 'B73', 'b73' from projects where id = ${project.projectId}
  `.execute(product.services.db);
});
afterAll(async () => {
  server?.kill('SIGKILL');
  await product.close();
});

async function startServer(port: string): Promise<{ child: ChildProcess; address: string }> {
  const started = await startServerProcess(product, port);
  server = started.child;
  return started;
}

const TRAITS = ['Yield', 'Height'];
const CELLS = (DEVICES / 2) * (2 * VALUES_OF_DEVICE - SHARED);
const PLOTS = CELLS / TRAITS.length;

async function sownTrial(): Promise<string> {
  const traits = TRAITS.map((name) => ({ name, direction: 'higher', unit: null, weight: 1 }));
  await owner.call('PUT', `${project.address}/traits`, { traits });
  const numbers = Array.from({ length: PLOTS }, (_, i) => i + 1);
  const nothing = numbers.map(() => null);
  const { body, text } = await owner.call('POST', `${project.address}/trials`, {
    ...{ name: 'Many devices', season: '2026', traits: TRAITS, entries: ['B73'] },
    places: [
      {
        location_name: 'North',
        layout: {
          ...{ number: numbers, row: nothing, column: nothing, replicate: nothing, block: nothing },
          ...{ entry: numbers.map(() => 0), kind: numbers.map(() => 'ENTRY') },
        },
      },
    ],
  });
  expect(body.data, text).toHaveLength(1);
  return `${project.address}/trials/${body.data[0].id}`;
}

interface Value {
  id: string;
  plot: number;
  trait: string;
  value: string;
  observed_at: string;
}

/** Two neighbours share the last cells of the first of them. */
function valuesOf(device: number): Value[] {
  const pair = Math.floor(device / 2) * (2 * VALUES_OF_DEVICE - SHARED);
  const first = pair + (device % 2) * (VALUES_OF_DEVICE - SHARED);
  return Array.from({ length: VALUES_OF_DEVICE }, (_, k) => ({
    ...{ id: randomUUID(), plot: Math.floor((first + k) / 2) + 1, trait: TRAITS[(first + k) % 2] ?? '' },
    ...{ value: String(1000 * (device + 1) + k), observed_at: '2026-08-01T10:00:00.000Z' },
  }));
}

const PATIENCE_MS = 600_000;

test(`${DEVICES} devices send ${VALUES_OF_DEVICE} values each while the server is killed twice: none lost, none doubled, every conflict kept`, {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const address = await sownTrial();
  let { child, address: origin } = await startServer('0');
  const { port } = new URL(origin);
  let acknowledged = 0;
  let repeated = 0;

  /** Sends until the server says that it has them, as a phone does. */
  async function send(observations: Value[], more: boolean): Promise<void> {
    for (;;) {
      const answer = await fetch(`${origin}${address}/observations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ observations }),
      }).catch(() => undefined);
      const body = (await answer?.json().catch(() => undefined)) as { known: number } | undefined;
      if (answer?.status === 200 && body !== undefined) {
        repeated += body.known;
        if (more) acknowledged += observations.length;
        return;
      }
      if (answer !== undefined && answer.status < 500 && answer.status !== 429)
        throw new Error(`${answer.status} ${JSON.stringify(body)}`);
      await sleep(100 + 200 * Math.random());
    }
  }

  const devices = Array.from({ length: DEVICES }, async (_, device) => {
    const values = valuesOf(device);
    for (let first = 0; first < values.length; first += BATCH) {
      const batch = values.slice(first, first + BATCH);
      await send(batch, true);
      // Some answers get lost on the way, so the phone sends again.
      if ((first / BATCH + device) % 5 === 0) await send(batch, false);
    }
  });
  const killed = (async () => {
    for (const share of [0.2, 0.6]) {
      await until(
        async () => acknowledged,
        (count) => count >= share * DEVICES * VALUES_OF_DEVICE,
      );
      child.kill('SIGKILL');
      await once(child, 'exit');
      ({ child, address: origin } = await startServer(port));
    }
  })();
  await Promise.all([...devices, killed]);

  expect(acknowledged).toBe(DEVICES * VALUES_OF_DEVICE);
  expect(repeated).toBeGreaterThan(0);
  const id = address.split('/').at(-1);
  const { rows } = await sql<{ stored: number; different: number }>`
    select count(*)::int as stored, count(distinct (plot, trait, value))::int as different
    from trial_observations where trial_id = ${id}
  `.execute(product.services.db);
  expect(rows).toEqual([{ stored: DEVICES * VALUES_OF_DEVICE, different: DEVICES * VALUES_OF_DEVICE }]);
  expect((await owner.call('GET', `${address}/conflicts`)).body.total).toBe((DEVICES / 2) * SHARED);
  expect((await owner.call('GET', address)).body.collected).toBe(CELLS);
});
