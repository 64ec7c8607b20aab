import { randomUUID } from 'node:crypto';
import {
  type DecisionDetail,
  type DecisionLines,
  type DecisionMark,
  outcomesOf,
} from '@heterosis/contracts/work/decisions';
import type { TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import { normalUpperTail } from '@heterosis/statgen/crossing/normal-distribution';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pagesOf } from '../../../platform/pdf/testing.ts';
import { type Person, type Product, type Project, startProduct, until } from '../../../testing/product.ts';
import { readStages } from './stages.queries.ts';

let product: Product;
let olga: Person;
let max: Person;
let project: Project;
let series: string;

/** 12 lines in two replicates at three places, with two traits; `bonus` is added to some lines. */
function trials(bonus: Record<string, number> = {}): string {
  const random = createRandomStream(5, 'plots');
  const effects = Array.from({ length: 12 }, () => random.normal());
  const rows = ['Bonn', 'Kiel', 'Ulm'].flatMap((place) =>
    Array.from({ length: 24 }, (_, i) => {
      const line = `L${i % 12}`;
      const value = 50 + 2 * (effects[i % 12] ?? 0) + random.normal() + (bonus[line] ?? 0);
      const height = 180 - 3 * (effects[i % 12] ?? 0) + 2 * random.normal();
      return [place, line, Math.floor(i / 12) + 1, value.toFixed(2), height.toFixed(1)].join();
    }),
  );
  return `environment,line,rep,Yield,Height\n${rows.join('\n')}\n`;
}

async function analyse(name: string, bytes: string): Promise<string> {
  const { id } = await product.uploadChecked(olga, project, { name, fileType: 'PHENOTYPE', bytes });
  const made = await olga.call('POST', `${project.address}/trial_analyses`, {
    ...{ name, phenotype_ids: [id], traits: ['Yield', 'Height'], model: 'blocks', structure: 'cs' },
  });
  expect(made.status, made.text).toBe(201);
  const done = await until(
    async () => (await olga.call('GET', `${project.address}/trial_analyses/${made.body.id}`)).body,
    ({ status }: TrialAnalysisDetail) => Object.values(status).every((one) => one !== 'PROCESSING'),
    60_000,
  );
  expect(done.error_extras).toEqual({ Yield: null, Height: null });
  return made.body.id;
}

beforeAll(async () => {
  product = await startProduct({
    changes: { compute: { threads: 1, memoryMb: 1024, chunkGflop: 10, tileMarkers: 8192 } },
  });
  olga = await product.person('olga');
  max = await product.person('max');
  project = await product.project(olga);
  await product.join(project, max, 'MEMBER');
  // Three families of four lines: L0 … L3 are full sibs of the parents A and B.
  await sql`
    with crop as (select organization_id, crop_id from projects where id = ${project.projectId}),
    parent as (
      insert into germplasm (id, organization_id, crop_id, name, folded_name)
      select gen_random_uuid(), crop.*, name, lower(name) from crop, unnest(array['A', 'B', 'C', 'D', 'E', 'F']) as name
      returning id, name
    )
    insert into germplasm (id, organization_id, crop_id, name, folded_name, maternal_id, paternal_id)
    select gen_random_uuid(), crop.*, 'L' || i, 'l' || i,
      (select id from parent where name = chr(65 + 2 * (i / 4))), (select id from parent where name = chr(66 + 2 * (i / 4)))
    from crop, generate_series(0, 11) as i
  `.execute(product.services.db);
  await olga.call('PUT', `${project.address}/traits`, {
    traits: [
      { name: 'Yield', direction: 'higher', unit: 'dt/ha', weight: 2 },
      { name: 'Height', direction: 'lower', unit: 'cm', weight: 1 },
    ],
  });
  series = await analyse('series.csv', trials());
}, 120_000);
afterAll(() => product.close());

let count = 0;
async function decide(changes: object = {}): Promise<{ address: string; body: DecisionDetail }> {
  const made = await olga.call('POST', `${project.address}/decisions`, {
    ...{ name: `Decision ${++count}`, source: { kind: 'trial_analysis', id: series } },
    ...{ settings: { check: 'L11', best: 3 }, ...changes },
  });
  expect(made.status, made.text).toBe(201);
  return { address: `${project.address}/decisions/${made.body.id}`, body: made.body };
}
const linesOf = async (address: string): Promise<DecisionLines> => (await olga.call('GET', `${address}/lines`)).body;
const marksOf = async (address: string): Promise<DecisionMark[]> =>
  (await olga.call('GET', `${address}/marks`)).body.data;
const mark = (line: number, value: string, more: object = {}) => ({
  ...{ id: randomUUID(), line, mark: value, marked_at: '2026-06-01T08:00:00Z' },
  ...more,
});
const send = (person: Person, address: string, marks: object[], more: object = {}) =>
  person.call('POST', `${address}/marks`, { marks, version: 1, ...more });

test('the probability to beat the check counts what the errors of both lines share', { tags: 'whole' }, async () => {
  const { address } = await decide({ traits: ['Yield'] });
  const { values, ses, reliabilities, beats_check, among_best_error } = await linesOf(address);
  const [value, se, reliability] = [values, ses, reliabilities].map(([of = []]) => of.map((one) => one ?? Number.NaN));
  // In balanced trials of m unrelated lines all errors share c, and 1'PEV1 = m·σ²g.
  const pev = (se?.[0] ?? 0) ** 2;
  const shared = (pev / (1 - (reliability?.[0] ?? 0)) - pev) / 11;
  expect(shared / pev).toBeGreaterThan(0.05);
  for (let i = 0; i < 11; i++) {
    const difference = (value?.[i] ?? 0) - (value?.[11] ?? 0);
    expect(beats_check[i]).toBeCloseTo(normalUpperTail(-difference / Math.sqrt(2 * (pev - shared))), 5);
  }
  expect(among_best_error).toBe(0);
  // Settings that change later find it again.
  const changed = await olga.call('PUT', address, { settings: { check: 'L11', best: 2 } });
  expect(changed.status, changed.text).toBe(200);
  expect((await linesOf(address)).beats_check).toEqual(beats_check);
});

test('a series is put on the table: values pinned by hash, index, probabilities, families', async () => {
  const { address, body } = await decide();
  expect(body).toMatchObject({
    ...{ state: 'OPEN', version: 1, line_count: 12, may_chair: true, source: { name: 'series.csv' } },
    columns: [
      { trait: 'Yield', unit: 'dt/ha', kind: 'trial_analysis', run_id: series, is_higher_better: true },
      { trait: 'Height', unit: 'cm', is_higher_better: false },
    ],
  });
  expect(body.columns).toMatchObject([0, 1].map(() => ({ in_index: true, has_error_covariance: true })));
  expect(body.notes.filter((note) => note.includes('count as 0'))).toEqual([]);
  expect(body.columns[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(body.columns[0]?.weight).toBeGreaterThan(0);
  expect(body.columns[1]?.weight).toBeLessThan(0);
  const lines = await linesOf(address);
  expect(lines.name).toEqual(Array.from({ length: 12 }, (_, i) => `L${i}`));
  expect(lines.family).toEqual(Array.from({ length: 12 }, (_, i) => ['A × B', 'C × D', 'E × F'][Math.floor(i / 4)]));
  expect(lines.is_check.indexOf(true)).toBe(11);
  expect(lines.among_best.reduce<number>((sum, one) => sum + (one ?? 0), 0)).toBeCloseTo(3, 2);
  const best = lines.index.indexOf(Math.max(...lines.index.map((one) => one ?? -99)));
  expect(lines.beats_check[best]).toBeGreaterThan(0.5);
  expect(lines.beats_every[best]).toBeLessThan(lines.beats_check[best] ?? 0);
  expect(lines.beats_check[11]).toBeNull();
  // Other settings: other numbers, the same values.
  const changed = await olga.call('PUT', address, {
    settings: { ...body.settings, best: 1, index_method: 'desired_gains', weights: { Yield: 1, Height: 0 } },
  });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body.columns[1].gain).toBeCloseTo(0, 10);
  const again = await linesOf(address);
  expect(again.values).toEqual(lines.values);
  expect(again.among_best.reduce<number>((sum, one) => sum + (one ?? 0), 0)).toBeCloseTo(1, 2);
  const refused = await olga.call('PUT', address, { settings: { ...body.settings, check: 'nobody' } });
  expect([refused.status, refused.body.code]).toEqual([400, 'request/invalid']);
  expect((await max.call('PUT', address, { name: 'mine' })).status).toBe(403);
});

test('newer runs come to the table of an open decision: marks stay, and it is said when', async () => {
  const { address, body } = await decide();
  await send(max, address, [mark(2, 'DROP', { reason: 'Lodged' })]);
  const before = await linesOf(address);
  const nothing = await olga.call('POST', `${address}/refresh`, {});
  expect([nothing.status, nothing.body.code]).toEqual([409, 'request/conflict']);
  const newer = await analyse(`newer ${count}.csv`, trials({ L3: 9 }));
  expect((await max.call('POST', `${address}/refresh`, {})).status).toBe(403);
  const refreshed = await olga.call('POST', `${address}/refresh`, {});
  expect(refreshed.status, refreshed.text).toBe(200);
  expect(refreshed.body.columns).toMatchObject(
    ['Yield', 'Height'].map((trait) => ({ trait, run_id: newer, in_index: true, has_error_covariance: true })),
  );
  expect(refreshed.body.columns[0].sha256).not.toBe(body.columns[0]?.sha256);
  expect(refreshed.body.refreshes).toMatchObject([
    { runs: [{ kind: 'trial_analysis', run_id: newer, instead_of: 'series.csv' }] },
  ]);
  const after = await linesOf(address);
  expect([after.name, after.number]).toEqual([before.name, before.number]);
  expect(after.values[0]?.[3]).toBeGreaterThan((before.values[0]?.[3] ?? 0) + 3);
  expect(after.beats_check[3]).toBeGreaterThan(before.beats_check[3] ?? 1);
  expect(await marksOf(address)).toMatchObject([{ line: 2, mark: 'DROP', reason: 'Lodged' }]);
  expect((await olga.call('POST', `${address}/refresh`, {})).status).toBe(409);
  await olga.call('DELETE', `${project.address}/trial_analyses/${newer}`);
});

test('candidates of a list keep their order, have the newest values, and a blind decision hides their names', async () => {
  const list = await olga.call('POST', `${project.address}/lists`, {
    ...{ name: 'Five', kind: 'germplasm', members: ['L7', 'l3', 'L1', 'unknown'] },
  });
  const { address, body } = await decide({
    ...{ source: { kind: 'list', id: list.body.id }, traits: ['Yield'] },
    settings: { check: 'L11', is_blind: true },
  });
  expect(body.columns.map(({ run_id, trait }) => [run_id, trait])).toEqual([[series, 'Yield']]);
  const hidden = await linesOf(address);
  expect(hidden.name).toEqual([null, null, null, null, null]);
  expect(hidden.germplasm_id.every((one) => one === null)).toBe(true);
  expect(hidden.values[0]?.[3]).toBeNull();
  await olga.call('PUT', address, { settings: { ...body.settings, is_blind: false } });
  expect((await linesOf(address)).name).toEqual(['L7', 'L3', 'L1', 'unknown', 'L11']);
});

test('people mark at once: each mark is kept once, disagreement is shown, and the chair settles', async () => {
  const { address } = await decide();
  const mine = [mark(1, 'ADVANCE', { reason: 'best yield' }), mark(2, 'DROP'), mark(3, 'ADVANCE')];
  expect((await send(olga, address, mine)).body).toEqual({ recorded: 3, known: 0, last: 3 });
  expect((await send(olga, address, mine)).body).toEqual({ recorded: 0, known: 3, last: 3 });
  expect((await send(max, address, [mark(1, 'DROP', { reason: '=lodged' }), mark(3, 'ADVANCE')])).status).toBe(200);
  expect((await olga.call('GET', address)).body).toMatchObject({
    ...{ people: 2, counts: { ADVANCE: 1, DROP: 1, UNDECIDED: 10, HOLD: 0, disagreed: 1 } },
  });
  // An older mark that arrives late does not win; a newer one does.
  await send(max, address, [mark(3, 'DROP', { marked_at: '2026-06-01T07:00:00Z' })]);
  expect(outcomesOf(await marksOf(address)).get(3)?.mark).toBe('ADVANCE');
  const marks = await marksOf(address);
  expect(marks.map(({ place }) => place)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(outcomesOf(marks).get(1)).toMatchObject({
    isDisagreed: true,
    marks: [{ person: 'max@example.org' }, { person: 'olga@example.org' }],
  });
  expect((await send(max, address, [mark(1, 'HOLD')], { settles: true })).status).toBe(403);
  const early = await olga.call('POST', `${address}/close`, { version: 1 });
  expect([early.status, early.body.code, early.body.details]).toEqual([409, 'decisions/unsettled', { lines: [1] }]);
  expect((await send(olga, address, [mark(1, 'HOLD')], { settles: true })).status).toBe(200);
  expect((await olga.call('GET', address)).body.counts).toMatchObject({ ADVANCE: 1, HOLD: 1, DROP: 1, disagreed: 0 });
  expect((await send(olga, address, [mark(13, 'HOLD')])).status).toBe(400);
});

test('a closed decision has minutes, a list and stages, and stays as it was until it is reopened', async () => {
  const { address, body } = await decide({ settings: { check: 'L11', best: 3, plots_per_line: 6 } });
  const advance = [0, 1, 4].map((i) => mark(i + 1, 'ADVANCE', { reason: i === 0 ? '=HYPERLINK("x")' : '' }));
  await send(olga, address, [...advance, mark(9, 'DROP')]);
  const set = (await olga.call('GET', `${address}/set`)).body;
  // Two full sibs of non-inbred parents and one of another cross: c'Ac/2 = (3·1 + 2·½)/18.
  expect(set).toMatchObject({ lines: 3, families: 2, plots: 18, seed_g: null });
  expect(set.coancestry).toBeCloseTo(4 / 18, 6);
  expect(set.status_number).toBeCloseTo(18 / 8, 5);
  expect((await max.call('POST', `${address}/close`, { version: 1 })).status).toBe(403);
  const late = await olga.call('POST', `${address}/close`, { version: 1, last_mark: 3 });
  expect(late.body.code).toBe('decisions/changed-meanwhile');
  const closed = await olga.call('POST', `${address}/close`, { version: 1, list_name: 'Into 2027', last_mark: 4 });
  expect(closed.status, closed.text).toBe(200);
  expect(closed.body).toMatchObject({ state: 'CLOSED', list: { name: 'Into 2027' } });
  const list = (await olga.call('GET', `${project.address}/lists/${closed.body.list.id}`)).body;
  expect(list.members).toEqual(['L0', 'L1', 'L4']);
  const { germplasm_id: ids } = await linesOf(address);
  const stages = await readStages(product.services.db, project.projectId, [ids[0], ids[8], ids[2]].map(String));
  expect(new Map(stages.map((one) => [one.germplasm_id, [one.stage, one.decision, one.set_by]]))).toEqual(
    new Map([
      [ids[0], ['Advanced', body.name, 'olga@example.org']],
      [ids[8], ['Dropped', body.name, 'olga@example.org']],
    ]),
  );
  expect((await send(max, address, [mark(2, 'DROP')])).body.code).toBe('decisions/closed');
  // What was acknowledged before is known still.
  expect((await send(olga, address, advance)).body).toMatchObject({ recorded: 0, known: 3 });
  const csv = await olga.call('GET', `${address}/minutes`);
  expect(csv.text).toContain("'=HYPERLINK");
  expect(csv.text).not.toMatch(/[,\n"]=HYPERLINK/);
  expect(csv.text.split('\n')).toHaveLength(14);
  for (const size of ['A4', 'LETTER']) {
    const pdf = await product.app.inject({
      method: 'GET',
      url: `/api/projects/${project.projectId}/decisions/${body.id}/report?page=${size}`,
      headers: { authorization: `Bearer ${olga.token}` },
    });
    expect(pdf.statusCode, pdf.body.slice(0, 200)).toBe(200);
    expect(pagesOf(pdf.rawPayload)).toHaveLength(1);
    const text = pdf.rawPayload.toString('latin1');
    expect(text).not.toMatch(/\/(?:JavaScript|JS|AA|OpenAction|Launch)\b/);
    // Its only way out is back to its page.
    const links = [...text.matchAll(/\/URI \(([^)]*)\)/g)].map(([, link]) => link?.split('/projects/')[1]);
    expect(links).toEqual([`${project.projectId}/decisions/${body.id}`]);
  }
  const reopened = await olga.call('POST', `${address}/reopen`, { reason: 'A plot was swapped' });
  expect(reopened.body).toMatchObject({
    ...{ state: 'OPEN', version: 2, counts: { ADVANCE: 3 } },
    versions: [{ version: 1, closed_by: 'olga@example.org', reopened_reason: 'A plot was swapped' }],
  });
  expect((await send(max, address, [mark(2, 'ADVANCE')])).body.code).toBe('decisions/changed-meanwhile');
  await send(olga, address, [mark(2, 'DROP', { marked_at: '2026-06-02T08:00:00Z' })], { version: 2 });
  const second = await olga.call('POST', `${address}/close`, { version: 2 });
  expect(second.status, second.text).toBe(200);
  expect((await olga.call('GET', `${address}/minutes?version=1`)).text).toBe(csv.text);
  // A blind meeting hides the names that earlier minutes have.
  await olga.call('POST', `${address}/reopen`, { reason: 'Again, blind' });
  await olga.call('PUT', address, { settings: { ...body.settings, is_blind: true } });
  for (const paper of ['minutes', 'report']) {
    const blind = await olga.call('GET', `${address}/${paper}?version=1`);
    expect([blind.status, blind.body.code], paper).toEqual([409, 'decisions/names-hidden']);
  }
  expect((await linesOf(address)).name.every((one) => one === null)).toBe(true);
  expect((await olga.call('GET', `${project.address}/lists/${second.body.list.id}`)).body.members).toEqual([
    'L0',
    'L4',
  ]);
});

test('a year later the page tells what came of it, and the bin gives a deleted decision back', async () => {
  const { address, body } = await decide();
  await send(olga, address, [mark(1, 'ADVANCE'), mark(2, 'ADVANCE'), mark(3, 'DROP')]);
  expect((await olga.call('GET', `${address}/outcome`)).body.code).toBe('decisions/no-minutes');
  await olga.call('POST', `${address}/close`, { version: 1 });
  expect((await olga.call('GET', `${address}/outcome`)).body).toEqual({ run: null, run_at: null, traits: [] });
  // L2 turns out to be the best.
  const later = await analyse('later.csv', trials({ L2: 30 }));
  const outcome = (await olga.call('GET', `${address}/outcome`)).body;
  expect(outcome.run).toEqual({ id: later, name: 'later.csv' });
  const [yielded, height] = outcome.traits;
  expect(yielded).toMatchObject({ trait: 'Yield', unit: 'dt/ha', advanced: 2, others: 9 });
  expect(yielded.regretted).toContain('L2');
  expect(yielded.regret).toBeGreaterThan(0);
  expect(yielded.accuracy).toBeLessThan(1);
  const row = yielded.lines.find(({ name }: { name: string }) => name === 'L2');
  expect(row).toMatchObject({ mark: 'DROP', since_se: expect.any(Number) });
  // Heights are those of before: what was expected has come.
  expect(height.realized_gain).toBeCloseTo(height.expected_gain, 6);
  expect(height.accuracy).toBeCloseTo(1, 8);
  expect((await max.call('DELETE', address)).status).toBe(403);
  expect((await olga.call('DELETE', address)).status).toBe(204);
  expect((await olga.call('GET', address)).status).toBe(404);
  const back = await olga.call('POST', `${project.address}/bin/${body.id}/restore`);
  expect(back.body).toMatchObject({ kind: 'decision', name: body.name });
  expect((await olga.call('GET', address)).body.state).toBe('CLOSED');
});
