import { randomUUID } from 'node:crypto';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { download, settledFile, until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, project } = await startProject();

beforeAll(async () => {
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name)
    select gen_random_uuid(), organization_id, crop_id, 'L' || line, 'l' || line
    from projects, generate_series(0, 7) as line where projects.id = ${project.projectId}
  `.execute(product.services.db);
});

const trials = () => `${project.address}/trials`;
const linesOf = async (id: string): Promise<string[]> => {
  const { meta } = await settledFile(owner, project, id);
  const { text } = await download(product.app, meta.file_url ?? '');
  return text.trim().split('\n');
};

/** 8 lines in two blocks of 4 × 2 each. */
async function laidOut(name: string): Promise<string> {
  const numbers = Array.from({ length: 16 }, (_, i) => i);
  const layout = {
    number: numbers.map((i) => 101 + i),
    row: numbers.map((i) => (i % 4) + 1),
    column: numbers.map((i) => Math.floor(i / 4) + 1),
    replicate: numbers.map((i) => (i < 8 ? 1 : 2)),
    block: numbers.map((i) => (i < 8 ? 1 : 2)),
    entry: numbers.map((i) => (i * 3) % 8),
    kind: numbers.map((i) => ((i * 3) % 8 === 0 ? 'CHECK' : 'ENTRY')),
  };
  const traits = [
    { name: 'Yield', direction: 'higher', unit: 't/ha', weight: 1, scale: { kind: 'numeric', min: 0, max: 99 } },
  ];
  expect((await owner.call('PUT', `${project.address}/traits`, { traits })).status).toBe(200);
  const { body, text } = await owner.call('POST', trials(), {
    ...{ name, season: '2026', traits: ['Yield'], entries: numbers.slice(0, 8).map((i) => `L${i}`) },
    places: [{ location_name: 'North', layout }],
  });
  expect(body.data, text).toHaveLength(1);
  return `${trials()}/${body.data[0].id}`;
}

const observed = (plot: number, value: string | number, more: object = {}) => ({
  ...{ id: randomUUID(), plot, trait: 'Yield', value, observed_at: '2026-08-01T10:00:00Z' },
  ...more,
});
const random = createRandomStream(7, 'freezing test');
const season = () => Array.from({ length: 16 }, (_, i) => observed(101 + i, (6 + random.normal()).toFixed(2)));

test('what counts is frozen as versions of one file, and nothing new is no new version', async () => {
  const address = await laidOut('Frozen');
  const none = await owner.call('POST', `${address}/freeze`);
  expect([none.status, none.body.code]).toEqual([409, 'trials/no-values']);
  const values = season();
  await owner.call('POST', `${address}/observations`, { observations: values });
  await owner.call('POST', `${address}/observations`, { observations: [observed(102, 50)] });
  await owner.call('POST', `${address}/observations/set_aside`, { observations: [values[2]?.id], reason: 'Hail' });
  const first = await owner.call('POST', `${address}/freeze`);
  expect(first.status, first.text).toBe(201);
  const lines = await linesOf(first.body.id);
  expect(lines[0]).toBe('environment,plot,rep,block,row,col,individual,kind,Yield (t/ha)');
  expect(lines).toHaveLength(17);
  // Set aside; two different values; as it was observed.
  expect(lines.slice(2, 5).map((line) => line.split(',').at(-1))).toEqual(['', '', String(Number(values[3]?.value))]);
  expect(lines[1]).toMatch(/^Frozen,101,1,1,1,1,L0,check,/);
  expect(await settledFile(owner, project, first.body.id)).toMatchObject({
    status: 'READY_WITH_WARNINGS',
    row_count: 8,
  });
  expect((await owner.call('POST', `${address}/freeze`)).body.id).toBe(first.body.id);
  expect((await owner.call('GET', address)).body.file_id).toBe(first.body.id);

  await owner.call('POST', `${address}/observations/keep`, { observations: [values[2]?.id] });
  const second = await owner.call('POST', `${address}/freeze`);
  expect(second.body.name).toBe('Frozen (plots, version 1).csv');
  const { versions } = (await owner.call('GET', `${project.address}/files/${second.body.id}`)).body;
  expect(versions.map(({ version, file }: { version: number; file: { id: string } }) => [version, file.id])).toEqual([
    [1, second.body.id],
    [0, first.body.id],
  ]);
});

test('an analysis takes a trial, and rests on the file that it was frozen into', async () => {
  const address = await laidOut('Analysed');
  const observations = season().map((one) => (one.plot === 108 ? { ...one, value: '60' } : one));
  await owner.call('POST', `${address}/observations`, { observations });
  const suspects = async (of: string) => (await owner.call('GET', `${of}/suspect_plots`)).body.data;
  expect(await suspects(address)).toEqual([]);
  const id = address.split('/').at(-1);
  const body = { name: 'Of a trial', trial_ids: [id], traits: ['Yield'], model: 'blocks' };
  const unknown = await owner.call('POST', `${project.address}/trial_analyses`, { ...body, traits: ['Height'] });
  expect([unknown.status, unknown.body.code]).toEqual([400, 'models/trait-not-in-phenotype']);
  const neither = await owner.call('POST', `${project.address}/trial_analyses`, { ...body, trial_ids: [] });
  expect([neither.status, neither.body.invalid_params?.[0]?.name]).toEqual([400, 'body.phenotype_ids']);
  const run = await owner.call('POST', `${project.address}/trial_analyses`, body);
  expect(run.status, run.text).toBe(201);
  const ended = await until(
    async () => (await owner.call('GET', `${project.address}/trial_analyses/${run.body.id}`)).body,
    ({ status }) => status.Yield !== 'PROCESSING',
  );
  expect(ended.status, JSON.stringify(ended.error_extras)).toEqual({ Yield: 'SUCCESS' });
  expect(ended.phenotypes.map(({ name }: { name: string }) => name)).toEqual(['Analysed (plots).csv']);

  // What it finds wrong stands under the numbers of the plots, also in a trial that its file is opened as.
  const found = await suspects(address);
  expect(found).toMatchObject([{ trait: 'Yield', analysis_id: run.body.id, environment: 'Analysed' }]);
  expect(found[0].outliers).toEqual(expect.arrayContaining([expect.objectContaining({ plot: 108 })]));
  const { rawPayload: report, statusCode } = await product.app.inject({
    ...{ method: 'GET', url: `${address}/report` },
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(statusCode, report.toString('latin1').slice(0, 300)).toBe(200);
  expect(report.toString('latin1')).toContain(`/trialAnalyses/${run.body.id})`);
  const file_id = ended.phenotype_ids[0];
  const opened = await owner.call('POST', `${trials()}/from_file`, { file_id });
  expect(opened.status, opened.text).toBe(201);
  expect(await suspects(`${trials()}/${opened.body.data[0].id}`)).toEqual(found);
});

test('a split plot stays one environment, whose analysis has the treatments of its whole plots as a term', async () => {
  const numbers = Array.from({ length: 16 }, (_, i) => i);
  const wholePlot = (i: number) => Math.floor(i / 4) + 1;
  const isDry = (i: number) => wholePlot(i) === 1 || wholePlot(i) === 4;
  const layout = {
    number: numbers.map((i) => 101 + i),
    row: numbers.map((i) => (i % 4) + 1),
    column: numbers.map(wholePlot),
    replicate: numbers.map((i) => (i < 8 ? 1 : 2)),
    block: numbers.map(wholePlot),
    entry: numbers.map((i) => (i * 3 + wholePlot(i)) % 4),
    kind: numbers.map(() => 'ENTRY'),
    treatment: numbers.map((i) => (isDry(i) ? 'dry' : 'irrigated')),
  };
  const { body, text } = await owner.call('POST', trials(), {
    ...{ name: 'Split', season: '2026', traits: ['Yield'], entries: ['L0', 'L1', 'L2', 'L3'] },
    places: [{ location_name: 'North', layout }],
  });
  expect(body.data, text).toHaveLength(1);
  const [{ id }] = body.data;
  const observations = numbers.map((i) => observed(101 + i, ((isDry(i) ? 4 : 8) + random.normal() / 4).toFixed(2)));
  await owner.call('POST', `${trials()}/${id}/observations`, { observations });
  const run = await owner.call('POST', `${project.address}/trial_analyses`, {
    ...{ name: 'Of a split plot', trial_ids: [id], traits: ['Yield'], model: 'blocks' },
  });
  expect(run.status, run.text).toBe(201);
  const address = `${project.address}/trial_analyses/${run.body.id}`;
  const ended = await until(
    async () => (await owner.call('GET', address)).body,
    ({ status }) => status.Yield !== 'PROCESSING',
  );
  expect(ended.summary.Yield, JSON.stringify(ended.error_extras)).toMatchObject({ environments: 1, lines: 4 });
  const [strip, ...others] = (await owner.call('GET', `${address}/trials?trait=Yield`)).body.data;
  expect(others).toEqual([]);
  expect(strip).toMatchObject({
    ...{ environment: 'Split', plots: 16 },
    design: { fixed: ['replicate', 'whole_plot'], random: ['replicate:block'] },
    notes: expect.arrayContaining([expect.stringContaining('treatments of the whole plots (dry, irrigated)')]),
  });
  // Without the treatment the difference of 4 t/ha would be variance of blocks.
  expect(strip.variances.blocks.value).toBeLessThan(1);

  const [fileId] = ended.phenotype_ids;
  expect((await linesOf(fileId))[0]).toBe(
    'environment,plot,rep,block,row,col,individual,kind,whole_plot_#CAT,Yield (t/ha)',
  );
  const other = await product.project(owner);
  const again = await product.uploadChecked(owner, other, {
    ...{ name: 'split.csv', fileType: 'PHENOTYPE', bytes: `${(await linesOf(fileId)).join('\n')}\n` },
  });
  const opened = await owner.call('POST', `${other.address}/trials/from_file`, { file_id: again.id });
  expect(opened.body.data, opened.text).toMatchObject([{ traits: ['Yield'], plots: 16 }]);
  const plots = (await owner.call('GET', `${other.address}/trials/${opened.body.data[0].id}/plots`)).body;
  expect(plots.treatment).toEqual(layout.treatment);
});

test('a file with plots is opened as trials, and frozen again says the same', async () => {
  const table = [
    'line,location,year,rep,block,plot,row,col,kind,Yield,Colour',
    ...['L1,North,2025,1,a,11,1,1,entry,5.1,red', 'L2,North,2025,1,b,12,1,2,check,6.2,blue'],
    ...['L1,South,2025,1,a,21,1,1,entry,5.9,', 'Unlisted,South,2025,2,a,22,1,2,entry,,blue'],
  ];
  const bytes = `${table.join('\n')}\n`;
  const file = await product.uploadChecked(owner, project, { name: 'old.csv', fileType: 'PHENOTYPE', bytes });
  const answer = await owner.call('POST', `${trials()}/from_file`, { file_id: file.id });
  expect(answer.status, answer.text).toBe(201);
  const [north, south] = answer.body.data;
  expect(north).toMatchObject({
    ...{ season: '2025', location_name: 'North', state: 'SOWN', plots: 2, entries: 2, traits: ['Yield', 'Colour'] },
    ...{ collected: 4, expected: 4, thumbnail: { rows: 1, columns: 2, kinds: 'ec' } },
  });
  const { entries, number, block, replicate } = (await owner.call('GET', `${trials()}/${south.id}/plots`)).body;
  expect({ number, block, replicate }).toEqual({ number: [21, 22], block: [1, 2], replicate: [1, 2] });
  expect(
    entries.map(({ name, germplasm_id: id }: { name: string; germplasm_id: string | null }) => [name, id]),
  ).toEqual([
    ['L1', expect.any(String)],
    ['Unlisted', null],
  ]);
  const frozen = await owner.call('POST', `${trials()}/${south.id}/freeze`);
  expect((await linesOf(frozen.body.id)).slice(1)).toEqual([
    expect.stringMatching(/,21,1,1,1,1,L1,entry,5.9,$/),
    expect.stringMatching(/,22,2,2,1,2,Unlisted,entry,,blue$/),
  ]);
  const again = await owner.call('POST', `${trials()}/from_file`, { file_id: file.id });
  expect([again.status, again.body.code]).toEqual([409, 'request/conflict']);
  const means = await product.uploadChecked(owner, project, {
    ...{ name: 'means.csv', fileType: 'PHENOTYPE', bytes: 'line,Yield\nL1,5\nL2,6\n' },
  });
  const refused = await owner.call('POST', `${trials()}/from_file`, { file_id: means.id });
  expect([refused.status, refused.body.code]).toEqual([422, 'trials/no-plots']);
});
