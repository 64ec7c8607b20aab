import { randomUUID } from 'node:crypto';
import type { ProgrammeResults } from '@heterosis/contracts/work/programmes';
import type {
  PlanOutcome,
  ProgrammePlan,
  ProgrammePlanStep,
} from '@heterosis/contracts/work/programmes/programme-plans';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const LINES = Array.from({ length: 12 }, (_, i) => `L${i}`);
/** The first four are the founders. */
const FOUNDERS = LINES.slice(0, 4);

function vcf(): string {
  const random = createRandomStream(3, 'plan test');
  const rows = Array.from({ length: 20 }, (_, j) => {
    const calls = LINES.map(() => (random.uniform() < 0.5 ? '0|0' : '1|1'));
    return [1, (j + 1) * 4_000_000, `m${j}`, 'A', 'C', '.', '.', '.', 'GT', ...calls].join('\t');
  });
  const header = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...LINES].join('\t');
  return `##fileformat=VCFv4.2\n${header}\n${rows.join('\n')}\n`;
}

/** All lines in two replicates at two places; `bonus` is added to some. */
function plots(seed: number, bonus: Record<string, number>): string {
  const random = createRandomStream(seed, 'plots');
  const rows = ['Bonn', 'Kiel'].flatMap((place) =>
    [1, 2].flatMap((rep) =>
      LINES.map((line, i) => [place, line, rep, (50 + i + random.normal() + (bonus[line] ?? 0)).toFixed(2)].join()),
    ),
  );
  return `environment,line,rep,Yield\n${rows.join('\n')}\n`;
}

const SCHEME: ProgrammeScheme = {
  name: 'DH',
  cycles: 2,
  error: { environment: 1, plot: 2 },
  costs: { cross: 20, dh: 30, plot: 25 },
  start: [
    { do: 'measure', stage: 'founders', population: 'founders' },
    { do: 'phenotype', population: 'founders', trait: 'Yield', environments: 2, replicates: 1, as: 'y' },
    { do: 'select', from: 'founders', by: 'y', count: 3, into: 'parents' },
  ],
  cycle: [
    { do: 'cross', from: 'parents', plan: 'circular', into: 'F1', years: 1 },
    { do: 'dh', from: 'F1', lines: 4, into: 'lines', years: 1 },
    { do: 'phenotype', population: 'lines', trait: 'Yield', environments: 2, replicates: 2, as: 'y', years: 1 },
    { do: 'measure', stage: 'candidates', population: 'lines', criterion: 'y' },
    { do: 'select', from: 'lines', by: 'y', count: 3, into: 'parents' },
    { do: 'measure', stage: 'selected', population: 'parents' },
  ],
};

const { product, owner: olga, member: max, project } = await startProject();
let programme: string;
let address: string;

async function analyse(name: string, bytes: string): Promise<string> {
  const { id } = await product.uploadChecked(olga, project, { name, fileType: 'PHENOTYPE', bytes });
  const made = await olga.call('POST', `${project.address}/trial_analyses`, {
    ...{ name, phenotype_ids: [id], traits: ['Yield'], model: 'blocks', structure: 'cs' },
  });
  expect(made.status, made.text).toBe(201);
  const done = await until(
    async () => (await olga.call('GET', `${project.address}/trial_analyses/${made.body.id}`)).body,
    ({ status }) => status.Yield !== 'PROCESSING',
  );
  expect(done.error_extras).toEqual({ Yield: null });
  return made.body.id;
}

beforeAll(async () => {
  await product.services.db
    .insertInto('organization_members')
    .values({ id: uuidv7(), organization_id: project.organizationId, user_id: max.userId, role: 'MEMBER' })
    .execute();
  const { id } = await product.uploadChecked(olga, project, { name: 'l.vcf', fileType: 'GENOTYPE', bytes: vcf() });
  const made = await olga.call('POST', `${project.address}/programmes`, {
    ...{ name: 'Winter', genotype_id: id, founders: FOUNDERS, schemes: [SCHEME], replicates: 8, seed: 2 },
    architecture: [{ trait: 'Yield', qtl: 15, variance: 4 }],
  });
  expect(made.status, made.text).toBe(201);
  programme = made.body.id;
  address = `${project.address}/programmes/${programme}/plan`;
  await until(
    async () => (await olga.call('GET', `${project.address}/programmes/${programme}`)).body,
    ({ status }) => status === 'SUCCESS',
  );
}, 60_000);

const plan = async (): Promise<ProgrammePlan> => (await olga.call('GET', address)).body.plan;
const stepOf = (of: ProgrammePlan, step: string): ProgrammePlanStep | undefined =>
  of.steps.find((one) => one.step === step);
const link = (step: string, kind: string, id: string) =>
  max.call('POST', `${address}/steps/${step}/links`, { kind, id });

test('a programme is started once; its stages are steps with sizes and dates', async () => {
  expect(await plan()).toBeNull();
  const before = await max.call('PUT', `${address}/steps/1.0`, { state: 'DONE' });
  expect([before.status, before.body.code]).toEqual([409, 'programmes/not-started']);
  const beyond = await max.call('POST', address, { starts_on: '2027-03-01', scheme: 1 });
  expect([beyond.status, beyond.body.invalid_params[0].name]).toEqual([400, 'body.scheme']);
  expect((await max.call('POST', address, { starts_on: '2027-02-30' })).status).toBe(400);
  const never = await max.call('POST', address, { starts_on: '9999-03-01' });
  expect([never.status, JSON.stringify(never.body)]).toEqual([400, expect.stringContaining('between 1900 and 2199')]);
  const [first, second] = await Promise.all(
    [olga, max].map((person) => person.call('POST', address, { starts_on: '2027-03-01' })),
  );
  expect([first?.status, second?.status].sort()).toEqual([201, 409]);
  const made = await plan();
  expect(made).toMatchObject({ scheme: 'DH', starts_on: '2027-03-01', trait: 'Yield', cycles: 2 });
  expect(made.steps.map(({ step, kind }) => `${step} ${kind}`)).toEqual([
    ...['start.1 TRIAL', 'start.2 SELECTION'],
    ...['1.0 CROSSES', '1.1 LINES', '1.2 TRIAL', '1.4 SELECTION'],
    ...['2.0 CROSSES', '2.1 LINES', '2.2 TRIAL', '2.4 SELECTION'],
  ]);
  expect(stepOf(made, '1.2')).toMatchObject({
    ...{ individuals: 12, environments: 2, replicates: 2, plots: 48, cost: 1200, year: 3, due_on: '2030-03-01' },
    ...{ state: 'PLANNED', links: [], is_own_date: false },
  });
});

test('dates move what comes after them, and are taken back', async () => {
  const moved = await max.call('PUT', `${address}/steps/1.0`, { due_on: '2028-05-30', state: 'DONE', note: 'Frost' });
  expect(stepOf(moved.body, '1.0')).toMatchObject({ due_on: '2028-05-30', state: 'DONE', note: 'Frost' });
  // The 1st of March 2028 was due: 90 days late.
  expect(stepOf(moved.body, '1.2')?.due_on).toBe('2030-05-30');
  expect(stepOf(moved.body, 'start.2')?.due_on).toBe('2027-03-01');
  const back = await max.call('PUT', `${address}/steps/1.0`, { due_on: null, state: 'PLANNED' });
  expect(stepOf(back.body, '1.2')?.due_on).toBe('2030-03-01');
  expect(stepOf(back.body, '1.0')).toMatchObject({ state: 'PLANNED', note: 'Frost' });
  const later = await max.call('PUT', address, { starts_on: '2027-04-01' });
  expect(stepOf(later.body, '1.2')?.due_on).toBe('2030-04-01');
});

const members = async (id = ''): Promise<string[]> =>
  (await olga.call('GET', `${project.address}/lists/${id}`)).body.members;
const germplasm = async (name: string) =>
  (await max.call('GET', `${project.address}/germplasms/${encodeURIComponent(name)}`)).body;

test('parents and lines to come are kept as lists, each linked with its step', async () => {
  const parents = await max.call('POST', `${address}/steps/1.0/list`, {});
  expect(parents.status, parents.text).toBe(201);
  const [list] = stepOf(parents.body, '1.0')?.links ?? [];
  expect(list).toMatchObject({ kind: 'list', name: 'Winter C1 F1 parents', linked_by: 'max@example.org' });
  expect(await members(list?.item_id)).toEqual(FOUNDERS);
  const lines = await max.call('POST', `${address}/steps/1.1/list`, { name: 'DH of 2029' });
  const [named] = stepOf(lines.body, '1.1')?.links ?? [];
  expect(named?.name).toBe('DH of 2029');
  expect((await members(named?.item_id)).slice(-2)).toEqual(['Winter C1-11', 'Winter C1-12']);
  expect((await max.call('POST', `${address}/steps/1.0/list`, {})).status).toBe(409);
  // More founders than the scheme crosses are no circle of crosses: the parents are not known.
  expect(await germplasm('Winter C1-12')).toMatchObject({ maternal: null, cross_type: 'DH', collection: 'DH of 2029' });
});

test('a trial of lines to come is laid out before they exist, with their parents', async () => {
  const parents = await olga.call('POST', `${project.address}/lists`, {
    ...{ name: 'Parents of cycle 2', kind: 'germplasm', members: FOUNDERS.slice(0, 3) },
  });
  await link('2.0', 'list', parents.body.id);
  const made = await max.call('POST', `${address}/steps/2.2/list`, {
    line_names: 'W{cross:2}-{line:2}',
    lines_each: 3,
  });
  expect(made.status, made.text).toBe(201);
  const [entries] = stepOf(made.body, '2.2')?.links ?? [];
  expect(stepOf(made.body, '2.1')?.links[0]?.item_id).toBe(entries?.item_id);
  const names = await members(entries?.item_id);
  expect([names.length, names[0], names.at(-1)]).toEqual([9, 'W01-01', 'W03-03']);
  expect(await germplasm('W03-01')).toMatchObject({ maternal: { name: 'L2' }, paternal: { name: 'L0' } });
  const count = names.length;
  const saved = await max.call('POST', `${project.address}/trials`, {
    ...{ name: 'Preliminary', season: '2033', entries: names },
    places: [
      {
        location_name: 'Bonn',
        layout: {
          number: names.map((_, i) => i + 1),
          ...{ row: names.map(() => 1), column: names.map((_, i) => i + 1), replicate: names.map(() => 1) },
          ...{ block: Array(count).fill(null), entry: names.map((_, i) => i), kind: Array(count).fill('ENTRY') },
        },
      },
    ],
  });
  expect(saved.status, saved.text).toBe(201);
  // A line that has another name when the season comes keeps its plots.
  const { id } = await germplasm('W01-02');
  const renamed = await olga.call('PUT', `/organizations/${project.organizationId}/germplasms/${id}`, {
    name: 'Winter Gold',
  });
  expect(renamed.status, renamed.text).toBe(200);
  const plots = await max.call('GET', `${project.address}/trials/${saved.body.data[0].id}/plots`);
  expect(plots.body.entries[1]).toEqual({ germplasm_id: id, name: 'Winter Gold' });
});

test('lines to come are added once, and names of other lines are refused', async () => {
  const again = (body: Record<string, unknown>) => max.call('POST', `${address}/steps/2.1/list`, body);
  const total = async () => (await max.call('GET', `${project.address}/germplasms`)).body.total;
  const before = await total();
  const same = await again({ name: 'Again', line_names: 'W{cross:2}-{line:2}', lines_each: 1 });
  expect(same.status, same.text).toBe(201);
  expect(await total()).toBe(before);
  for (const [body, code] of [
    [{ line_names: 'Winter C1-{number:2}' }, 'germplasm/name-taken'],
    [{ line_names: 'w 0{number}01' }, 'germplasm/name-taken'],
    [{ line_names: 'X{line}' }, 'request/invalid'],
    [{ line_names: 'X' }, 'request/invalid'],
    [{ line_names: 'X{entry}' }, 'request/invalid'],
    [{ line_names: 'X{number}', lines_each: 20_000 }, 'lists/too-long'],
    [{ line_names: 'X{number}', lines_each: 20_001 }, 'request/invalid'],
    [{ line_names: `${'X'.repeat(250)}{number:9}` }, 'request/invalid'],
  ] as const) {
    const refused = await again({ name: 'Refused', ...body });
    expect([refused.body.code, refused.status >= 400], refused.text).toEqual([code, true]);
    expect(refused.body.invalid_params?.[0]?.name ?? 'body.line_names').toMatch(/^body\.(line_names|lines_each)$/);
  }
  expect(await total()).toBe(before);
  expect((await max.call('GET', `${project.address}/lists?name=Refused`)).body.data).toEqual([]);
});

test('founders of the first trial get into the germplasm list; who may not add to it is told', async () => {
  expect((await max.call('GET', `${project.address}/germplasms/L3`)).status).toBe(404);
  const grace = await product.person('grace');
  await product.join(project, grace, 'MEMBER');
  expect((await grace.call('POST', `${address}/steps/start.1/list`, {})).status).toBe(403);
  // A founder that the list has stays as it is, parents and all.
  const known = await germplasm('L1');
  await olga.call('PUT', `/organizations/${project.organizationId}/germplasms/${known.id}`, {
    maternal_id: (await germplasm('L0')).id,
  });
  const made = await max.call('POST', `${address}/steps/start.1/list`, {});
  expect(made.status, made.text).toBe(201);
  expect(await members(stepOf(made.body, 'start.1')?.links[0]?.item_id)).toEqual(FOUNDERS);
  expect((await max.call('GET', `${project.address}/germplasms/L3`)).status).toBe(200);
  expect((await germplasm('L1')).maternal).toMatchObject({ name: 'L0' });
});

test('a step has things of its kinds only, each once, and gives them back', async () => {
  const [list] = (await olga.call('GET', `${project.address}/lists`)).body.data;
  expect((await link('1.2', 'model', list.id)).status).toBe(400);
  expect((await link('1.3', 'list', list.id)).status).toBe(404);
  expect((await link('9.0', 'list', list.id)).status).toBe(404);
  expect((await link('1.four', 'list', list.id)).status).toBe(404);
  expect((await link('1.4', 'list', randomUUID())).status).toBe(404);
  expect((await link('1.4', 'decision', list.id)).status).toBe(404);
  await link('1.4', 'list', list.id);
  const twice = await link('1.4', 'list', list.id);
  expect(stepOf(twice.body, '1.4')?.links).toHaveLength(1);
  const id = stepOf(twice.body, '1.4')?.links[0]?.id;
  expect((await max.call('DELETE', `${address}/links/${id}`)).status).toBe(204);
  expect((await max.call('DELETE', `${address}/links/${id}`)).status).toBe(404);
  expect(stepOf(await plan(), '1.4')?.links).toEqual([]);
  const elsewhere = await product.project(olga);
  expect((await olga.call('GET', `${elsewhere.address}/programmes/${programme}/plan`)).status).toBe(404);
});

test('what came of a selection stands beside what was expected of it', {
  tags: 'whole',
  timeout: 120_000,
}, async () => {
  const first = await analyse('2029.csv', plots(1, {}));
  const made = await olga.call('POST', `${project.address}/decisions`, {
    ...{ name: 'Parents of 2030', source: { kind: 'trial_analysis', id: first }, settings: { best: 3 } },
  });
  expect(made.status, made.text).toBe(201);
  await link('1.2', 'trial_analysis', first);
  await link('1.4', 'decision', made.body.id);
  const outcome = async (): Promise<PlanOutcome> => (await olga.call('GET', `${address}/outcome`)).body;
  const of = (found: PlanOutcome, step: string) => found.steps.find((one) => one.step === step);
  expect(of(await outcome(), '1.4')?.realised[0]).toMatchObject({ value: null, missing: 'The decision is open.' });
  const marks = [10, 11].map((line) => ({
    ...{ id: randomUUID(), line, mark: 'ADVANCE', marked_at: '2026-06-01T08:00:00Z' },
  }));
  const at = `${project.address}/decisions/${made.body.id}`;
  await olga.call('POST', `${at}/marks`, { marks, version: 1 });
  const closed = await olga.call('POST', `${at}/close`, { version: 1 });
  expect(closed.status, closed.text).toBe(200);
  expect(of(await outcome(), '1.4')?.realised[0]?.missing).toBe('No trial was analysed since.');
  const later = await analyse('2031.csv', plots(2, { L9: 4 }));
  const found = await outcome();
  const [trait] = (await olga.call('GET', `${at}/outcome`)).body.traits;
  expect(of(found, '1.4')?.realised).toEqual([
    expect.objectContaining({ what: 'SELECTION', value: trait.realized_gain, lines: 2, others: 10, missing: null }),
  ]);
  // Lines were worth a unit more with each number: 4 … 11 above 0 … 3 are 6 on average, shrunken a little.
  const [sinceFounders] = of(found, '1.2')?.realised ?? [];
  expect(sinceFounders).toMatchObject({ what: 'SINCE_FOUNDERS', lines: 8, others: 4 });
  expect(sinceFounders?.value).toBeGreaterThan(5);
  expect(sinceFounders?.value).toBeLessThan(6.5);
  // Expectations are those of the results: of the candidates since the founders, of the selected above the
  // candidates.
  const results: ProgrammeResults = (
    await olga.call('GET', `${project.address}/programmes/${programme}/results?stage=candidates&quantities=gain1`)
  ).body;
  const gains = results.schemes[0]?.points ?? [];
  for (const [step, cycle] of [
    ['1.2', 1],
    ['2.2', 2],
  ] as const) {
    const gain = gains.find((point) => point.cycle === cycle);
    expect(of(found, step)?.expected).toEqual({
      ...{ what: 'SINCE_FOUNDERS', mean: gain?.mean, low: gain?.low, high: gain?.high, replicates: 8 },
    });
  }
  const meanOf = async (stage: string) => {
    const { body } = await olga.call(
      'GET',
      `${project.address}/programmes/${programme}/results?stage=${stage}&quantities=mean_gv1`,
    );
    return body.schemes[0].points.find((point: { cycle: number }) => point.cycle === 1).mean;
  };
  const expected = of(found, '1.4')?.expected;
  expect(expected?.what).toBe('SELECTION');
  expect(expected?.mean).toBeCloseTo((await meanOf('selected')) - (await meanOf('candidates')), 10);
  expect(expected?.mean).toBeGreaterThan(0);
  // What the selected go on to is their list.
  const next = await max.call('POST', `${address}/steps/2.0/list`, {});
  const list = stepOf(next.body, '2.0')?.links.at(-1);
  const { members } = (await olga.call('GET', `${project.address}/lists/${list?.item_id}`)).body;
  expect(members).toEqual((await olga.call('GET', `${project.address}/lists/${closed.body.list.id}`)).body.members);
  // What is in the bin has no name, and says nothing.
  await olga.call('DELETE', `${project.address}/trial_analyses/${later}`);
  await olga.call('DELETE', at);
  expect(stepOf(await plan(), '1.4')?.links).toMatchObject([{ kind: 'decision', name: null }]);
  expect(of(await outcome(), '1.4')?.realised).toEqual([]);
});

test('a plan is stopped, audited, and started anew without what it had', async () => {
  expect((await max.call('DELETE', address)).status).toBe(204);
  expect(await plan()).toBeNull();
  expect((await max.call('DELETE', address)).status).toBe(409);
  expect((await max.call('POST', address, { starts_on: '2028-01-01' })).status).toBe(201);
  expect((await plan()).steps.flatMap(({ links }) => links)).toEqual([]);
  const { data } = (await olga.call('GET', `/api/organizations/${project.organizationId}/audit?limit=100`)).body;
  const ours = data.filter(({ target_id }: { target_id: string }) => target_id === programme);
  expect(ours.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
    'programme.started',
    'programme.stopped',
  ]);
  expect(ours.some(({ action, details }: never) => action === 'programme.plan-changed' && details)).toBe(true);
});
