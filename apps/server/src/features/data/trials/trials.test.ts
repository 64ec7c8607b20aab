import { readFile } from 'node:fs/promises';
import type { Trial, TrialEvent } from '@heterosis/contracts/data/trials';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startProject } from '../../../testing/start-project.ts';
import { sweepBin } from '../../work/runs/sweep/index.ts';

const { product, owner, member, outsider, project } = await startProject({ withWorker: false });
let germplasm: Record<string, string>;

beforeAll(async () => {
  const { rows } = await sql<{ id: string; name: string }>`
    insert into germplasm (id, organization_id, crop_id, name, folded_name)
    select gen_random_uuid(), organization_id, crop_id, line, lower(line)
    from projects, unnest(array['B73', 'Mo17', 'Oh43']) as line where projects.id = ${project.projectId} returning id, name
  `.execute(product.services.db);
  const traits = ['Yield', 'Height'].map((name) => ({ name, direction: 'higher', unit: null, weight: 1 }));
  expect((await owner.call('PUT', `${project.address}/traits`, { traits })).status).toBe(200);
  germplasm = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
});

/** Two rows of three: entries and a check in blocks, a filler at the end. */
const LAYOUT = {
  number: [1, 2, 3, 4, 5, 6],
  row: [1, 1, 1, 2, 2, 2],
  column: [1, 2, 3, 3, 2, 1],
  replicate: [1, 1, 1, 2, 2, null],
  block: [1, 1, 1, 2, 2, null],
  entry: [0, 1, 2, 2, 0, null],
  kind: ['ENTRY', 'ENTRY', 'CHECK', 'CHECK', 'ENTRY', 'FILLER'],
};
const ENTRIES = ['B73', ' oh-43', 'Mo17'];
const body = (name: string, more: object = {}) => ({
  ...{ name, season: '2026', entries: ENTRIES, traits: ['Yield', 'Height'], plot_name: '{place}-{plot:3}' },
  places: [{ location_name: 'North', latitude: 52.1, longitude: 11.3, layout: LAYOUT }],
  ...more,
});
const create = (sent: object, person = owner) => person.call('POST', `${project.address}/trials`, sent);
async function made(name: string, person = owner): Promise<{ trial: Trial; address: string }> {
  const answer = await create(body(name), person);
  expect(answer.status, answer.text).toBe(201);
  const [trial] = answer.body.data;
  return { trial, address: `${project.address}/trials/${trial.id}` };
}

test('a trial keeps its plots, and finds its lines in the germplasm list', async () => {
  const { trial, address } = await made('First');
  expect(trial).toMatchObject({
    ...{ name: 'First', season: '2026', location_name: 'North', latitude: 52.1, state: 'DRAFT', version: 1 },
    ...{ plots: 6, entries: 3, expected: 10, collected: 0, design: null, created_by_id: owner.userId },
    thumbnail: { rows: 2, columns: 3, kinds: 'eecfec' },
  });
  const plots = (await owner.call('GET', `${address}/plots`)).body;
  expect(plots.entries).toEqual(['B73', 'Oh43', 'Mo17'].map((name) => ({ germplasm_id: germplasm[name], name })));
  expect(plots).toMatchObject({ ...LAYOUT, treatment: [null, null, null, null, null, null] });
  expect(plots.name.slice(0, 2)).toEqual(['North-001', 'North-002']);
  expect((await owner.call('GET', address)).body).toEqual(trial);
});

test('names that the germplasm list lacks are told before a trial is saved', async () => {
  const match = (entries: string[], person = owner) =>
    person.call('POST', `${project.address}/trials/match_entries`, { entries });
  expect((await match([' oh-43', 'Zz9', 'B73', 'Zz9'])).body).toEqual({ unknown: ['Zz9'], ambiguous: [] });
  expect((await match(['B73'], outsider)).status).toBe(404);
});

test('the entries of a table are read without storing them; what is wrong with it is said', async () => {
  const read = (bytes: string | Uint8Array) =>
    product.app.inject({
      method: 'POST',
      url: `${project.address}/trials/read_entries`,
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(bytes),
    });
  const answer = await read('Family;Entry;Reps\nF1;"B73; selfed";2\n;Mo17;\n');
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      entries: [
        { name: 'B73; selfed', replicates: 2, family: 'F1' },
        { name: 'Mo17', replicates: null, family: null },
      ],
    },
  ]);
  const path = '../../../../../../packages/file-formats/testdata/workbooks/xlsxwriter.xlsx';
  const workbook = await read(await readFile(new URL(path, import.meta.url)));
  expect(workbook.json().entries.map(({ name }: { name: string }) => name)).toEqual(['B73', 'Mo17']);
  for (const [bytes, detail] of [
    ['', 'The file is empty'],
    ['yield\n5\n', 'no column with their names'],
    ['name\nB73\nB73\n', 'Line 3: "B73" stands on line 2 already.'],
  ] as const) {
    const refused = await read(bytes);
    expect([refused.statusCode, refused.json().detail]).toEqual([400, expect.stringContaining(detail)]);
  }
});

test('several places are several trials, all or none', async () => {
  const places = ['South', 'East'].map((location_name) => ({ location_name, layout: LAYOUT, efficiency: 0.87 }));
  const design = { request: { design: 'rcbd', replicates: 2 }, seed: 7, engine_version: '1.0.0' };
  const answer = await create(body('Many', { places, design }));
  expect(answer.body.data.map(({ name }: Trial) => name)).toEqual(['Many South', 'Many East']);
  expect(answer.body.data[0].design).toEqual({ ...design, efficiency: 0.87, upper_bound: null });
  const again = await create(body('Many', { places: [{ location_name: 'West', layout: LAYOUT }, ...places] }));
  expect([again.status, again.body.code]).toEqual([409, 'request/conflict']);
  expect(again.body.detail).toContain('"Many South"');
  const listed = await owner.call('GET', `${project.address}/trials?name=many&season=2026`);
  expect(listed.body.data.map(({ name }: Trial) => name)).toEqual(['Many East', 'Many South']);
  const first = await owner.call('GET', `${project.address}/trials?name=many&limit=1`);
  const next = await owner.call('GET', `${project.address}/trials?name=many&limit=1&cursor=${first.body.next_cursor}`);
  expect(next.body).toMatchObject({ data: [{ name: 'Many South' }], next_cursor: null });
});

test.each<[string, object, number, string, string]>([
  ['lines that the list lacks', { entries: ['B73', 'Zz9', 'Mo17'] }, 422, 'trials/unknown-entries', '"Zz9"'],
  ['two plots of one number', { number: [1, 2, 3, 4, 5, 5] }, 422, 'trials/layout-refused', 'number 5'],
  ['two plots in one cell', { column: [1, 1, 3, 3, 2, 1] }, 422, 'trials/layout-refused', 'row 1, column 1'],
  ['a row without a column', { column: [1, 2, 3, 3, 2, null] }, 422, 'trials/layout-refused', 'Plot 6'],
  ['an entry beyond the list', { entry: [0, 1, 9, 2, 0, null] }, 422, 'trials/layout-refused', 'Entry 9'],
  ['a check without a line', { entry: [0, 1, null, 2, 0, null] }, 422, 'trials/layout-refused', 'Plot 3'],
  ['a filler with a line', { entry: [0, 1, 2, 2, 0, 1] }, 422, 'trials/layout-refused', 'Plot 6'],
  ['columns of two lengths', { row: [1, 1] }, 422, 'trials/layout-refused', '"row" has 2'],
  ['names that are alike', { plot_name: 'P{row}' }, 422, 'trials/layout-refused', '"P1"'],
  ['traits that nobody knows', { traits: ['Yeld'] }, 400, 'trials/unknown-traits', '"Yeld"'],
  ['no place', { places: [] }, 400, 'request/invalid', ''],
  ['a latitude beyond the pole', { latitude: 91 }, 400, 'request/invalid', ''],
])('a layout with %s is refused, and nothing is saved', async (_what, fault, status, code, detail) => {
  const {
    entries = ENTRIES,
    plot_name = '{plot}',
    traits = [],
    places,
    latitude,
    ...columns
  } = fault as Record<string, unknown>;
  const place = { location_name: 'North', latitude, layout: { ...LAYOUT, ...columns } };
  const answer = await create(body('Refused', { entries, plot_name, traits, places: places ?? [place] }));
  expect([answer.status, answer.body.code], answer.text).toEqual([status, code]);
  expect(answer.body.detail).toContain(detail);
  expect((await owner.call('GET', `${project.address}/trials?name=Refused`)).body.data).toEqual([]);
});

test('a layout changes while the trial is a draft, and is fixed once it is sown', async () => {
  const { trial, address } = await made('Laid out');
  const layout = { ...LAYOUT, kind: ['ENTRY', 'ENTRY', 'CHECK', 'CHECK', 'ENTRY', 'BORDER'] };
  const replace = { entries: ENTRIES, layout, plot_name: '{plot}', version: trial.version };
  const replaced = await owner.call('PUT', `${address}/layout`, replace);
  expect(replaced.body).toMatchObject({ version: 2, thumbnail: { kinds: 'eecbec' }, plot_name: '{plot}' });
  const stale = await owner.call('PUT', `${address}/layout`, replace);
  expect([stale.status, stale.body.code]).toEqual([409, 'trials/changed-meanwhile']);
  const sown = await member.call('PUT', address, { state: 'SOWN', sown_on: '2026-04-20' });
  expect(sown.body).toMatchObject({ state: 'SOWN', sown_on: '2026-04-20' });
  const late = await owner.call('PUT', `${address}/layout`, { ...replace, version: undefined });
  expect([late.status, late.body.code]).toEqual([409, 'trials/layout-fixed']);
  expect((await owner.call('PUT', address, { state: 'DRAFT' })).body.state).toBe('DRAFT');
  const skipped = await owner.call('PUT', address, { state: 'CLOSED' });
  expect([skipped.status, skipped.body.code]).toEqual([409, 'request/conflict']);
});

test('a swap is an event with who and when, and is taken back once', async () => {
  const { address } = await made('Swapped');
  await owner.call('PUT', address, { state: 'SOWN' });
  const swap = await member.call('POST', `${address}/swaps`, { plots: [2, 6], note: 'Seed packets mixed up' });
  expect(swap.status, swap.text).toBe(201);
  expect(swap.body).toMatchObject({ type: 'SWAPPED', plots: [2, 6], undone: false, created_by_id: member.userId });
  const after = (await owner.call('GET', `${address}/plots`)).body;
  expect([after.kind[1], after.kind[5], after.entries[after.entry[5]].name]).toEqual(['FILLER', 'ENTRY', 'Oh43']);
  expect((await owner.call('GET', address)).body.thumbnail.kinds).toBe('efceec');

  const undo = () => owner.call('POST', `${address}/swaps`, { undoes: swap.body.id });
  const undone = await Promise.all([undo(), undo()]);
  expect(undone.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await owner.call('GET', `${address}/plots`)).body).toMatchObject(LAYOUT);
  const { data } = (await owner.call('GET', `${address}/events`)).body;
  expect(data.map(({ type, undone: is }: TrialEvent) => [type, is])).toEqual([
    ['SWAP_UNDONE', false],
    ['SWAPPED', true],
    ['SOWN', false],
    ['CREATED', false],
  ]);
  const absent = await owner.call('POST', `${address}/swaps`, { plots: [1, 77] });
  expect([absent.status, absent.body.detail]).toEqual([400, expect.stringContaining('no plot 77')]);
  await owner.call('PUT', address, { state: 'CLOSED' });
  const closed = await owner.call('POST', `${address}/swaps`, { plots: [1, 2] });
  expect([closed.status, closed.body.code]).toEqual([409, 'trials/closed']);
  expect((await owner.call('PUT', address, { name: 'New name' })).body.code).toBe('trials/closed');
});

test('a line that is merged into another keeps its plots, over several merges, and gets them back', async () => {
  const { address } = await made('Merged');
  const { db } = product.services;
  const place = `/api/organizations/${project.organizationId}/germplasms`;
  const merge = async (gone: string, into: string): Promise<string> => {
    const answer = await owner.call('POST', `${place}/${germplasm[gone]}/merge`, { into_id: germplasm[into] });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.change_id;
  };
  const lineOf = async (plot: number) => {
    const { entries, entry } = (await owner.call('GET', `${address}/plots`)).body;
    return entries[entry[plot]];
  };
  expect(await lineOf(1)).toEqual({ germplasm_id: germplasm['Oh43'], name: 'Oh43' });
  const first = await merge('Oh43', 'Mo17');
  expect(await lineOf(1)).toEqual({ germplasm_id: germplasm['Mo17'], name: 'Mo17' });
  const second = await merge('Mo17', 'B73');
  expect(await lineOf(1)).toEqual({ germplasm_id: germplasm['B73'], name: 'B73' });
  for (const change of [second, first])
    expect((await owner.call('POST', `${place}/changes/${change}/undo`, {})).status).toBe(200);
  expect(await lineOf(1)).toEqual({ germplasm_id: germplasm['Oh43'], name: 'Oh43' });
  const { rows } = await sql`select from germplasm where deleted_at is not null`.execute(db);
  expect(rows).toEqual([]);
});

test('members delete trials of their own, and the bin brings them back as they were', async () => {
  const { address } = await made('Of Olga');
  expect((await member.call('DELETE', address)).status).toBe(403);
  const own = await made('Of Max', member);
  const plots = (await member.call('GET', `${own.address}/plots`)).body;
  expect((await member.call('DELETE', own.address)).status).toBe(204);
  expect((await owner.call('GET', own.address)).status).toBe(404);
  expect((await owner.call('GET', `${own.address}/plots`)).status).toBe(404);
  const bin = (await owner.call('GET', `${project.address}/bin`)).body.data;
  expect(bin[0]).toMatchObject({ kind: 'trial', name: 'Of Max' });
  await made('Of Max');
  const back = await member.call('POST', `${project.address}/bin/${own.trial.id}/restore`);
  expect(back.body).toEqual({ kind: 'trial', id: own.trial.id, name: 'Of Max (restored)' });
  expect((await member.call('GET', `${own.address}/plots`)).body).toEqual(plots);
  for (const path of ['', '/plots', '/events'])
    expect((await outsider.call('GET', `${own.address}${path}`)).status).toBe(404);
  const elsewhere = await product.project(owner);
  expect((await owner.call('GET', `${elsewhere.address}/trials/${own.trial.id}`)).status).toBe(404);

  expect((await member.call('DELETE', own.address)).status).toBe(204);
  await sql`update trials set deleted_at = now() - interval '31 days' where id = ${own.trial.id}`.execute(
    product.services.db,
  );
  await sweepBin(product.services);
  const { rows } = await sql`select from trial_plots where trial_id = ${own.trial.id}`.execute(product.services.db);
  expect(rows).toEqual([]);
});
