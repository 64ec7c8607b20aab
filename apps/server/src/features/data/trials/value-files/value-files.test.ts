import { gzipSync } from 'node:zlib';
import { plotIdOf } from '@heterosis/contracts/data/field-books';
import type { ValueFileReview } from '@heterosis/contracts/data/value-files';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startProject } from '../../../../testing/start-project.ts';

const { product, owner, project } = await startProject({ withWorker: false });

beforeAll(async () => {
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name)
    select gen_random_uuid(), organization_id, crop_id, line, lower(line)
    from projects, unnest(array['B73', 'Mo17']) as line where projects.id = ${project.projectId}
  `.execute(product.services.db);
  const scales = {
    Yield: { kind: 'numeric', min: 0, max: 20 },
    Lodging: { kind: 'categories', categories: ['none', 'some', 'all'].map((value) => ({ value, label: null })) },
    Silking: { kind: 'date' },
  };
  const traits = Object.entries(scales).map(([name, scale]) => ({
    ...{ name, scale, direction: 'higher', unit: null, weight: 1 },
  }));
  expect((await owner.call('PUT', `${project.address}/traits`, { traits })).status).toBe(200);
});

let made = 0;
/** Four plots with lines, and a border, at each place. */
async function sown(...places: string[]): Promise<{ id: string; address: string; season: string }[]> {
  const layout = {
    ...{ number: [101, 102, 201, 202, 301], row: [1, 1, 2, 2, 3], column: [1, 2, 1, 2, 1] },
    ...{ replicate: [1, 1, 2, 2, null], block: [1, 1, 2, 2, null], entry: [0, 1, 1, 0, null] },
    kind: ['ENTRY', 'CHECK', 'CHECK', 'ENTRY', 'BORDER'],
  };
  const season = `20${10 + ++made}`;
  const { body } = await owner.call('POST', `${project.address}/trials`, {
    ...{ name: `Trial ${made}`, season, entries: ['B73', 'Mo17'], traits: ['Yield', 'Lodging'] },
    places: (places.length === 0 ? ['North'] : places).map((location_name) => ({ location_name, layout })),
  });
  return body.data.map(({ id }: { id: string }) => ({ id, season, address: `${project.address}/trials/${id}` }));
}

async function send(address: string, text: string | Buffer, choices?: object, name = 'values.csv') {
  const form = new FormData();
  if (choices !== undefined) form.append('choices', JSON.stringify(choices));
  form.append('file', new Blob([new Uint8Array(Buffer.from(text))]), name);
  const response = new Response(form);
  const answer = await product.app.inject({
    ...{ method: 'POST', url: address },
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': response.headers.get('content-type') ?? '' },
    payload: Buffer.from(await response.arrayBuffer()),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const review = async (address: string, text: string | Buffer, choices?: object): Promise<ValueFileReview> => {
  const { status, body } = await send(`${address}/values_file/review`, text, choices);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const store = (address: string, text: string | Buffer, choices?: object) =>
  send(`${address}/values_file`, text, choices);

const valuesOf = async (address: string, trait = 'Yield') => {
  const { plot, value } = (await owner.call('GET', `${address}/observations?trait=${trait}`)).body;
  return plot.map((number: number, k: number) => [number, value[k]]);
};
const refusals = ({ refused }: ValueFileReview) => refused.data.map(({ line, column, code }) => [line, column, code]);

/** As Field Book exports: the attributes of the plot, then its own columns; `location` is where the phone was. */
const database = (id: string, rows: string[]): string =>
  [
    '"plot_id","plot","row","column","entry","trait","value","timestamp","person","location","number","attached_photo","attached_video","attached_audio","device_name"',
    ...rows.map((row) => row.replaceAll('ID', id)),
  ].join('\n');

test('the database export of Field Book: by plot id, with who and when, repeated measures and all', async () => {
  const [{ id, address } = { id: '', address: '' }] = await sown();
  const file = database(id, [
    '"ID-0","101","1","1","B73","Yield","5.10","2026-08-05 11:52:45.379-05:00","Ana","{""geo"":1}","1",,,,"Pixel"',
    '"ID-0","101","1","1","B73","Yield","5.4","2026-08-06 09:00:00.000-05:00","Ana","","2",,,,"Pixel"',
    '"ID-1","102","1","2","Mo17","Yield","NA","2026-08-05 11:53:00.000-05:00","Ana","","1",,,,"Pixel"',
    '"ID-1","102","1","2","Mo17","lodging","some","2026-08-05 11:54:00.000-05:00","Ben","","1",,,,"Pixel"',
  ]);
  expect(plotIdOf(id, 1)).toBe(`${id}-1`);
  const seen = await review(address, file);
  expect(seen).toMatchObject({ shape: 'long', is_field_book: true, refused: { total: 0 }, differences: { total: 0 } });
  expect(seen.trials).toEqual([expect.objectContaining({ trial_id: id, added: 3, unchanged: 0, different: 0 })]);
  expect(seen.repeated.data).toEqual([
    { trial_id: id, plot: 101, trait: 'Yield', lines: [2, 3], values: ['5.1', '5.4'] },
  ]);
  expect((await owner.call('GET', address)).body.collected).toBe(0);
  expect((await store(address, file, { reviewed: seen.review })).body).toMatchObject({ recorded: 4, unchanged: 0 });
  expect(await valuesOf(address)).toEqual([
    [101, '5.4'],
    [102, null],
  ]);
  expect(await valuesOf(address, 'Lodging')).toEqual([[102, 'some']]);
  const { data } = (await owner.call('GET', `${address}/plots/101/observations`)).body;
  expect(
    data
      .map((one: Record<string, unknown>) => [one['value'], one['collector'], one['observed_at'], one['origin']])
      .toSorted(),
  ).toEqual([
    ['5.1', 'Ana', '2026-08-05T16:52:45.379Z', 'FILE'],
    ['5.4', 'Ana', '2026-08-06T14:00:00.000Z', 'FILE'],
  ]);
  // The export of the next day has all of it again.
  expect((await store(address, file)).body).toMatchObject({ recorded: 0, unchanged: 3 });
  const [, current] = (await owner.call('GET', `${address}/plots/101/observations`)).body.data;
  const corrected = {
    id: crypto.randomUUID(),
    plot: 101,
    trait: 'Yield',
    value: 6,
    observed_at: '2026-08-07T10:00:00Z',
  };
  const heads = data.map((one: { id: string }) => one.id);
  await owner.call('POST', `${address}/observations`, { observations: [{ ...corrected, corrects: heads }] });
  expect(current).toBeDefined();
  // What somebody has corrected since is no difference of a file that was there before.
  expect((await store(address, file)).body).toMatchObject({ recorded: 0, unchanged: 3 });
  expect(await valuesOf(address)).toContainEqual([101, '6']);
});

test('the table export, a semicolon table with decimal commas by row and column, and a tab table say the same', async () => {
  const files = [
    ['plot_id,plot,seed_name,pedigree,Yield,Lodging', 'x,101,B73,"a,b",5.5,none', 'y,202,,,6.25,', 'z,201,,,NA,'],
    ['Row;Range;YIELD (t/ha)|CO_1;Lodging', '1;1;5,5;none', '2;2;6,25;', '2;1;NA;'],
    ['plot_name\tyield\tlodging', '101\t5.50\tnone', '202.0\t6.25\t', '201\t.\t'],
  ];
  for (const lines of files) {
    const [{ address } = { address: '' }] = await sown();
    const text = lines.join('\n');
    // What is packed is read in a thread of its own.
    const file = lines === files.at(-1) ? gzipSync(text) : text;
    const answer = await store(address, file, { observed_on: '2026-08-05', collector: 'Ana' });
    expect(answer.body, lines[0]).toMatchObject({ recorded: 3, left_out: 0 });
    expect(await valuesOf(address), lines[0]).toEqual([
      [101, '5.5'],
      [202, '6.25'],
    ]);
    const [one] = (await owner.call('GET', `${address}/plots/101/observations`)).body.data;
    expect(one).toMatchObject({ observed_at: '2026-08-05T12:00:00.000Z', collector: 'Ana' });
    expect((await store(address, file)).body).toMatchObject({ recorded: 0, unchanged: 3 });
  }
});

test('what cannot be taken is named with its line and column, and saves nothing unless it is left out', async () => {
  const [{ address } = { address: '' }] = await sown();
  // Rows and columns that are counted in another way throughout say nothing of plots that are named.
  const turned = 'plot,row,column,Yield\n101,1,1,5\n102,2,1,6\n201,1,2,7\n';
  expect(refusals(await review(address, turned))).toEqual([]);
  const text = [
    'plot,row,column,entry,Yield,Lodging,date',
    '101,1,1,Mo17,25,half,2026-08-05',
    '102,1,2,Mo17,many,none,2026-08-05',
    '999,,,B73,5,none,2026-08-05',
    '201,1,2,Mo17,5,none,2026-08-05',
    '301,3,1,,5,none,2026-08-05',
    ',,,B73,5,none,2026-08-05',
    '202,2,2,B73,5,none,yesterday',
    '202,2,2,B73,6,none,2026-08-06',
  ].join('\n');
  const seen = await review(address, text);
  expect(refusals(seen)).toEqual([
    [2, 'Yield', 'misfit'],
    [2, 'Lodging', 'misfit'],
    [3, 'Yield', 'misfit'],
    [4, null, 'unknown-plot'],
    [5, null, 'contradiction'],
    [6, null, 'not-planted'],
    [7, null, 'unknown-plot'],
    [8, null, 'bad-date'],
  ]);
  expect(seen.refused.data[0]?.message).toBe('"Yield" on plot 101: 25 is above the upper limit 20.');
  expect(seen.refused.data[3]?.message).toMatch(/^"Trial \d+" has no plot "999"\.$/);
  expect(seen.other_entries.data).toEqual([{ line: 2, plot: 101, file: 'Mo17', trial: 'B73' }]);
  const refused = await store(address, text);
  expect([refused.status, refused.body.code]).toEqual([422, 'trials/values-refused']);
  expect(refused.body.detail).toContain('Line 2: "Yield" on plot 101: 25 is above the upper limit 20.');
  expect(await valuesOf(address)).toEqual([]);
  expect((await store(address, text, { leave_out_refused: true })).body).toMatchObject({ recorded: 3, left_out: 8 });
  expect(await valuesOf(address)).toEqual([[202, '6']]);
});

test('differences wait for a decision: the file, the trial, or each by itself', async () => {
  const [{ id, address } = { id: '', address: '' }] = await sown();
  await store(address, 'plot,Yield\n101,5\n102,6\n201,7');
  const text = 'plot,Yield\n101,5\n102,6.5\n201,7.5\n202,8';
  const seen = await review(address, text);
  expect(seen.trials[0]).toMatchObject({ added: 1, different: 2, unchanged: 1 });
  expect(seen.differences.data.map(({ plot, value, present }) => [plot, present[0]?.value, value])).toEqual([
    [102, '6', '6.5'],
    [201, '7', '7.5'],
  ]);
  const open = await store(address, text);
  expect([open.status, open.body.code]).toEqual([409, 'trials/values-undecided']);
  expect(await valuesOf(address)).toHaveLength(3);
  const choices = { differences: 'file', except: [{ trial_id: id, plot: 102, trait: 'Yield' }], reviewed: seen.review };
  expect((await store(address, text, choices)).body).toMatchObject({ recorded: 2, kept: 1, unchanged: 1 });
  expect(await valuesOf(address)).toEqual([
    [101, '5'],
    [102, '6'],
    [201, '7.5'],
    [202, '8'],
  ]);
  // What was reviewed is no more what would be stored.
  const late = await store(address, text, choices);
  expect([late.status, late.body.code]).toEqual([409, 'trials/changed-meanwhile']);
  expect((await store(address, text, { differences: 'trial' })).body).toMatchObject({ recorded: 0, kept: 1 });
  expect((await owner.call('GET', `${address}/conflicts`)).body.total).toBe(0);
});

test('a trait that the project lacks is chosen, made or left out; ambiguous dates are asked', async () => {
  const [{ address } = { address: '' }] = await sown();
  const text = 'plot,YLD,Colour score,Remark,Silking\n101,5,3,late,03/04/2026\n102,6,2,,05/04/2026';
  const seen = await review(address, text);
  expect(seen.traits.map(({ header, trait, is_open: open }) => [header, trait, open])).toEqual([
    ['YLD', null, true],
    ['Colour score', null, true],
    ['Remark', null, false],
    ['Silking', 'Silking', false],
  ]);
  expect(seen.date_order_open).toBe(true);
  const open = await store(address, text);
  expect([open.status, open.body.code]).toEqual([409, 'trials/values-undecided']);
  expect(open.body.detail).toContain('"YLD", "Colour score"');
  const traits = { YLD: 'Yield', 'Colour score': 'Colour' };
  expect((await store(address, text, { traits })).body.detail).toContain('day or the month');
  const twice = await store(address, text, { traits: { ...traits, Remark: 'Yield' } });
  expect(twice.body.detail).toContain('"YLD" and "Remark" of the file are both the trait "Yield"');
  expect((await store(address, text, { traits, date_order: 'day-first' })).body).toMatchObject({ recorded: 6 });
  expect(await valuesOf(address, 'Colour')).toEqual([
    [101, '3'],
    [102, '2'],
  ]);
  expect((await valuesOf(address, 'Silking'))[0]).toEqual([101, '2026-04-03']);
  expect((await owner.call('GET', address)).body.traits).toEqual(['Yield', 'Lodging', 'Colour', 'Silking']);
});

test('a file of several places goes to the trials of its season, all or none', async () => {
  const [north, south] = await sown('North', 'South');
  const text = 'location,plot,Yield\nNorth,101,5\nSouth,101,6\nsouth,102,7';
  const seen = await review(north?.address ?? '', text);
  expect(seen.trials.map(({ location_name: place, added }) => [place, added])).toEqual([
    ['North', 1],
    ['South', 2],
  ]);
  const lost = await review(north?.address ?? '', `${text}\nEast,101,5`);
  expect(refusals(lost)).toEqual([[5, null, 'unknown-trial']]);
  await owner.call('PUT', south?.address ?? '', { state: 'SOWN' });
  await owner.call('PUT', south?.address ?? '', { state: 'CLOSED' });
  expect(refusals(await review(north?.address ?? '', text))).toEqual([
    [3, null, 'closed'],
    [4, null, 'closed'],
  ]);
  expect((await store(north?.address ?? '', text)).status).toBe(422);
  await owner.call('PUT', south?.address ?? '', { state: 'SOWN' });
  expect((await store(north?.address ?? '', text)).body).toMatchObject({ recorded: 3 });
  expect(await valuesOf(south?.address ?? '')).toEqual([
    [101, '6'],
    [102, '7'],
  ]);
});

test('files that cannot be read say why', async () => {
  const [{ address } = { address: '' }] = await sown();
  const said = async (text: string, choices?: object) => (await store(address, text, choices)).body;
  expect(await said('')).toMatchObject({ code: 'trials/values-unreadable' });
  expect((await said('line,Yield\nB73,5')).detail).toContain('No column says of which plot a value is.');
  expect((await said('plot,row,column\n101,1,1')).detail).toContain('no column of values');
  expect((await said('plot,Yield,Yield\n101,1,1')).detail).toContain('same header');
  expect((await said('plot,Yield\n101,1,1\n102')).detail).toMatch(/^Line 2: The row has 3 fields/);
  expect(await said('plot,Yield\n101,1', { differences: 'both' })).toMatchObject({ code: 'request/invalid' });
  const form = await product.app.inject({
    ...{ method: 'POST', url: `${address}/values_file`, payload: '{}' },
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
  });
  expect(form.statusCode).toBe(400);
  expect((await store(`${project.address}/trials/${crypto.randomUUID()}`, 'plot,Yield\n1,2')).status).toBe(404);
});
