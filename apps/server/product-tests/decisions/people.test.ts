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
/** Every line is marked by everybody, and some are marked again. */
const SECOND_THOUGHTS = 60;
const BATCH = 6;
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
  return Array.from({ length: LINES + SECOND_THOUGHTS }, (_, k) => ({
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
        return;
      }
      if (answer !== undefined && answer.status < 500 && answer.status !== 429)
        throw new Error(`${answer.status} ${JSON.stringify(body)}`);
      await sleep(50 + 100 * Math.random());
    }
  }

  /** Reads on from the last place, as a page does; returns what it has once it has all. */
  async function watch(person: Person): Promise<DecisionMark[]> {
    const seen: DecisionMark[] = [];
    for (;;) {
      const after = seen.at(-1)?.place ?? 0;
      const answer = await fetch(`${origin}${address}/marks?after=${after}`, { headers: bearer(person) }).catch(
        () => undefined,
      );
      const body = (await answer?.json().catch(() => undefined)) as { data?: DecisionMark[] } | undefined;
      seen.push(...(body?.data ?? []));
      if (isDone.value && (seen.at(-1)?.place ?? 0) >= last) return seen;
      await sleep(250);
    }
  }

  const sent = people.map((_, k) => marksOf(k));
  const meeting = people.map(async (person, k) => {
    const own = sent[k] ?? [];
    for (let first = 0; first < own.length; first += BATCH) {
      const batch = own.slice(first, first + BATCH);
      await send(person, batch, true);
      // Some answers get lost on the way, so the page sends again.
      if ((first / BATCH + k) % 5 === 0) await send(person, batch, false);
    }
  });
  const watching = people.map(watch);
  const killed = (async () => {
    for (const share of [0.25, 0.6]) {
      await until(
        async () => acknowledged,
        (count) => count >= share * PEOPLE * (LINES + SECOND_THOUGHTS),
      );
      child.kill('SIGKILL');
      await once(child, 'exit');
      ({ child, address: origin } = await startServer(port));
    }
  })();
  await Promise.all([...meeting, killed]);
  const ended = performance.now();
  isDone.value = true;
  const views = await Promise.all(watching);
  const behind = performance.now() - ended;

  const total = PEOPLE * (LINES + SECOND_THOUGHTS);
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
  expect(behind).toBeLessThan(MOST_BEHIND_MS);
});
