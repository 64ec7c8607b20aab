import type { TrialAnalysisDetail, TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepRuns } from '../src/features/work/runs/sweep/sweep-runs.ts';
import {
  download,
  type Person,
  type Product,
  type Project,
  startProduct,
  startWorkerProcess,
  until,
} from '../src/testing/product.ts';

// What cannot be analysed says so and leaves nothing behind; what changes nothing in a trial changes no mean.

const PATIENCE_MS = 120_000;

let product: Product;
let owner: Person;
let project: Project;

interface Plot {
  environment: string;
  line: string;
  rep: string;
  block: string;
  row: string;
  column: string;
  kind: string;
  value: string;
}

/** 12 lines in two replicates of two blocks, in a field of 4 × 6 a place. */
function field(places: readonly string[]): Plot[] {
  return places.flatMap((environment) => {
    const random = createRandomStream(3, environment);
    return Array.from({ length: 24 }, (_, i) => {
      const line = (i * 5 + (i >= 12 ? 4 : 0)) % 12;
      const column = Math.floor(i / 4) + 1;
      return {
        ...{ environment, line: `L${line}`, rep: String(i < 12 ? 1 : 2), block: String(Math.floor(i / 6) + 1) },
        ...{ row: String((i % 4) + 1), column: String(column), kind: 'entry' },
        value: (50 + 3 * Math.sin(line) + column + random.normal()).toFixed(3),
      };
    });
  });
}

const HEADER = ['environment', 'line', 'rep', 'block', 'row', 'column', 'kind', 'value'] as const;
const table = (plots: readonly Plot[]): string =>
  [
    'environment,line,rep,block,row,column,kind,Yield (dt/ha)',
    ...plots.map((plot) => HEADER.map((name) => plot[name]).join()),
  ].join('\n');
/** Some plots of Bonn changed. */
const changed = (change: (plot: Plot, i: number) => Partial<Plot>): string =>
  table(field(['Bonn']).map((plot, i) => ({ ...plot, ...change(plot, i) })));

let count = 0;
const upload = async (bytes: string, fileType: 'PHENOTYPE' | 'GENOTYPE' = 'PHENOTYPE'): Promise<string> =>
  (
    await product.uploadChecked(owner, project, {
      ...{ name: `plots ${++count}.${fileType === 'GENOTYPE' ? 'vcf' : 'csv'}`, fileType, bytes },
    })
  ).id;

const analyses = () => `${project.address}/trial_analyses`;
async function create(phenotype: string, changes: object = {}): Promise<string> {
  const made = await owner.call('POST', analyses(), {
    ...{ name: `Trials ${++count}`, phenotype_ids: [phenotype], traits: ['Yield'], model: 'rowcol' },
    ...changes,
  });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}
const read = async (id: string): Promise<TrialAnalysisDetail> => (await owner.call('GET', `${analyses()}/${id}`)).body;
const settled = (id: string): Promise<TrialAnalysisDetail> =>
  until(
    () => read(id),
    ({ status }) => status['Yield'] !== 'PROCESSING',
    PATIENCE_MS,
  );
const stripsOf = async (id: string): Promise<TrialStrip[]> =>
  (await owner.call('GET', `${analyses()}/${id}/trials?trait=Yield`)).body.data;

async function stored(id: string): Promise<string[]> {
  const keys: string[] = [];
  const prefix = `projects/${project.projectId}/trial_analyses/${id}/`;
  for await (const { key } of product.services.storage.list(prefix)) keys.push(key.slice(prefix.length));
  return keys;
}

beforeAll(async () => {
  product = await startProduct({
    changes: { compute: { threads: 1, memoryMb: 1024, chunkGflop: 0.0001, tileMarkers: 8192 } },
  });
  owner = await product.person('olga');
  project = await product.project(owner);
}, PATIENCE_MS);
afterAll(() => product.close());

test('what is wrong with the plots of a trial has a code, names them and says what to do, and nothing is saved', {
  timeout: PATIENCE_MS,
}, async () => {
  const cases: [what: string, file: string, code: string, message: RegExp][] = [
    [
      'two plots at one place',
      changed((_, i) => (i === 9 ? { row: '1' } : {})),
      'trials/place',
      /"L4" \(line 10\) and "L9" \(line 11\) both stand in row 1, column 3/,
    ],
    [
      'a row that is no number',
      changed((_, i) => (i === 3 ? { row: 'D' } : {})),
      'trials/coordinate',
      /The row of the plot of "L3" in Bonn is "D", which is no number\. \(line 5\)/,
    ],
    [
      'a column that is missing',
      changed((_, i) => (i === 3 ? { column: '' } : {})),
      'trials/coordinate',
      /The plot of "L3" in Bonn has no column, where others have one\. \(line 5\)/,
    ],
    ['one line', changed(() => ({ line: 'L1' })), 'trials/one-line', /Only "L1" has values of Yield in Bonn/],
    [
      'one line beside fillers',
      changed(({ line }) => (line === 'L1' ? {} : { kind: 'filler' })),
      'trials/one-line',
      /Only "L1" has values/,
    ],
    ['no variation', changed(() => ({ value: '7' })), 'trials/constant', /All 24 plots of Bonn have the value 7/],
    [
      'a plot whose replicate contradicts its block',
      changed((_, i) => (i === 2 ? { rep: '2' } : {})),
      'trials/block',
      /block "1" belongs to replicate "1", but this plot of "L10" puts it into replicate "2"\. \(line 4\)/,
    ],
    [
      'a torn block',
      changed((_, i) => (i >= 3 && i < 6 ? { rep: '2' } : {})),
      'trials/block',
      /block "1" belongs to replicate "1".*\(line 5\).*\(line 6\).*\(line 7\)/,
    ],
  ];
  const ids: string[] = [];
  for (const [, file] of cases) ids.push(await create(await upload(file)));
  for (const [i, [what, , code, message]] of cases.entries()) {
    const id = ids[i] ?? '';
    const { status, error_extras, summary, means_urls } = await settled(id);
    expect([what, status], JSON.stringify(error_extras)).toEqual([what, { Yield: 'ERROR' }]);
    expect(error_extras['Yield'], what).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error_extras['Yield']?.['action'], what).toMatch(/^[A-Z][^-]+\.$/);
    expect([summary, means_urls]).toEqual([{ Yield: null }, { Yield: null }]);
    expect((await owner.call('GET', `${analyses()}/${id}/means?trait=Yield`)).status).toBe(409);
  }
  await sweepRuns(product.services, 0);
  expect((await Promise.all(ids.map(stored))).flat()).toEqual([]);
});

test('a line that is only filler gets no mean, and the trial says so', { timeout: PATIENCE_MS }, async () => {
  const id = await create(await upload(changed(({ line }) => (line === 'L5' ? { kind: 'filler' } : {}))));
  expect((await settled(id)).status).toEqual({ Yield: 'SUCCESS' });
  const [strip] = await stripsOf(id);
  expect(strip).toMatchObject({ plots: 22, lines: 11 });
  expect(strip?.notes).toContain(
    '"L5" stands on filler or border plots of Bonn only: it gets no mean. ' +
      'Nothing to do when it is filler; otherwise mark its plots as entries.',
  );
  expect((await owner.call('GET', `${analyses()}/${id}/means?trait=Yield&search=L5`)).body.total).toBe(0);
});

/** Genotypes of some lines at four markers. */
const genotypes = (lines: readonly string[]): string =>
  [
    '##fileformat=VCFv4.2',
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...lines].join('\t'),
    ...Array.from({ length: 4 }, (_, m) =>
      [
        ...['1', String(m + 1), `m${m}`, 'A', 'C', '.', '.', '.', 'GT'],
        ...lines.map((_line, i) => ['0/0', '0/1', '1/1'][(i * (m + 2) + m) % 3]),
      ].join('\t'),
    ),
    '',
  ].join('\n');

test('environments in which no value of a trait counts are named, and the others are analysed', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const places = field(['Bonn', 'Kiel', 'Ulm']);
  const file = await upload(table(places.map((plot) => (plot.environment === 'Kiel' ? { ...plot, value: '' } : plot))));
  const wholeField = Array.from({ length: 24 }, (_, i) => ({
    ...{ environment: 'Ulm', row: (i % 4) + 1, column: Math.floor(i / 4) + 1, reason: 'Hail' },
  }));
  const id = await create(file, { structure: 'none', set_aside: wholeField });
  const { status, summary } = await settled(id);
  expect(status).toEqual({ Yield: 'SUCCESS' });
  expect(summary['Yield']).toMatchObject({ environments: 1, left_out: 0, unmeasured: ['Kiel', 'Ulm'] });
  expect((await stripsOf(id)).map(({ environment }) => environment)).toEqual(['Bonn']);
});

test('trials that cannot be analysed together keep their own results, and the series has a code and what to do', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const both = field(['Bonn', 'Kiel']);
  const apart = await upload(
    table(both.map((plot) => ({ ...plot, line: plot.environment === 'Kiel' ? `K${plot.line}` : plot.line }))),
  );
  const linked = await upload(table(both));
  const few = await upload(genotypes(['L0', 'L1', 'L2', 'X1', 'X2', 'X3']), 'GENOTYPE');
  const fewInKiel = await upload(
    genotypes(
      both
        .slice(0, 24)
        .map(({ line }) => line)
        .filter((line, i, all) => all.indexOf(line) === i),
    ),
    'GENOTYPE',
  );
  const cases: [string, object, string, RegExp][] = [
    [
      apart,
      { structure: 'cs' },
      'series/no-links',
      /No line links these groups of environments: Bonn; Kiel\. Analyse them apart/,
    ],
    [
      linked,
      { structure: 'cs', genotype_id: few },
      'series/few-related',
      /Only 3 of 12 lines with values have relationships\. Check that the names/,
    ],
    [
      apart,
      { structure: 'cs', genotype_id: fewInKiel },
      'series/few-related',
      /Kiel has 0 lines with relationships, and needs two\. Leave the environment out/,
    ],
  ];
  for (const [file, changes, code, message] of cases) {
    const id = await create(file, changes);
    const { status, summary, means_urls, series_urls } = await settled(id);
    expect(status).toEqual({ Yield: 'SUCCESS' });
    expect(summary['Yield']).toMatchObject({ structure: null, no_series_code: code, environments: 2, left_out: 0 });
    expect(summary['Yield']?.no_series).toMatch(message);
    expect([means_urls['Yield'] === null, series_urls['Yield']]).toEqual([false, null]);
    const series = await owner.call('GET', `${analyses()}/${id}/series?trait=Yield`);
    expect(series).toMatchObject({ status: 409, body: { code: 'runs/no-result', details: { reason: code } } });
  }
});

test('a run is cancelled and deleted while it computes, leaves nothing behind, and is computed again', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const places = Array.from({ length: 30 }, (_, i) => `Place ${i + 1}`);
  const file = await upload(table(field(places)));
  const whole = await settled(await create(file, { structure: 'cs' }));
  const isBegun = (id: string): Promise<string[]> =>
    until(
      () => stored(id),
      (keys) => keys.some((key) => key.includes('trial-')),
      PATIENCE_MS,
    );
  const runOf = async (id: string) =>
    await product.services.db.selectFrom('runs').select(['id', 'state', 'jobs']).where('entity_id', '=', id).execute();

  const deleted = await create(file);
  await isBegun(deleted);
  expect((await owner.call('DELETE', `${analyses()}/${deleted}`)).status).toBe(204);
  expect(await runOf(deleted)).toMatchObject([{ state: 'CANCELLED' }]);

  const id = await create(file, { structure: 'cs' });
  await isBegun(id);
  const cancelled = await owner.call('POST', `${analyses()}/${id}/cancel`);
  expect(cancelled.body).toMatchObject({
    ...{ status: { Yield: 'ERROR' }, error_extras: { Yield: { code: 'runs/cancelled' } } },
    ...{ summary: { Yield: null }, means_urls: { Yield: null } },
  });
  expect(await runOf(id)).toMatchObject([{ state: 'CANCELLED' }]);
  await until(
    async () => {
      await sweepRuns(product.services, 0);
      return [...(await stored(id)), ...(await stored(deleted))];
    },
    (keys) => keys.length === 0,
    PATIENCE_MS,
  );

  const again = await owner.call('POST', `${analyses()}/${id}/retry`);
  expect(again.status, again.text).toBe(200);
  const done = await settled(id);
  expect(done.status).toEqual({ Yield: 'SUCCESS' });
  for (const urls of ['means_urls', 'covariance_urls', 'series_urls'] as const) {
    const [one, other] = await Promise.all(
      [whole, done].map(async (detail) => (await download(product.app, detail[urls]['Yield'] ?? '')).text),
    );
    expect(one === other, urls).toBe(true);
  }
});

test('a run that failed is computed again once its cause is gone', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const { storage } = product.services;
  const file = await upload(table(field(['Bonn', 'Kiel'])));
  const whole = await settled(await create(file, { structure: 'cs' }));
  const key = `projects/${project.projectId}/files/${file}/original`;
  await storage.move(key, `${key}-away`);
  const id = await create(file, { structure: 'cs' });
  const failed = await settled(id);
  expect(failed.status).toEqual({ Yield: 'ERROR' });
  expect(failed.error_extras['Yield']?.code).not.toBe('runs/cancelled');
  expect((await owner.call('GET', `${analyses()}/${id}/trials?trait=Yield`)).status).toBe(409);
  // Nothing has changed, and it fails as before.
  expect((await owner.call('POST', `${analyses()}/${id}/retry`)).status).toBe(200);
  expect((await settled(id)).error_extras).toEqual(failed.error_extras);

  await storage.move(`${key}-away`, key);
  expect((await owner.call('POST', `${analyses()}/${id}/retry`)).body.status).toEqual({ Yield: 'PROCESSING' });
  const done = await settled(id);
  expect(done.status).toEqual({ Yield: 'SUCCESS' });
  expect(done.error_extras).toEqual({ Yield: null });
  for (const urls of ['means_urls', 'covariance_urls', 'plots_urls', 'series_urls'] as const) {
    const [one, other] = await Promise.all(
      [whole, done].map(async (detail) => (await download(product.app, detail[urls]['Yield'] ?? '')).text),
    );
    expect(one === other, urls).toBe(true);
  }
});

test('names, the side from which a field is seen, and a plot without a value change no mean', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const base = field(['Bonn', 'Kiel']);
  const empty = { ...base[0], line: 'L7', row: '5', column: '1', value: 'NA' } as Plot;
  const files = {
    base,
    renamed: base.map((plot) => ({ ...plot, line: `new ${plot.line}` })),
    mirrored: base.map((plot) => ({ ...plot, row: String(5 - Number(plot.row)) })),
    emptied: [...base, empty],
  };
  interface Means {
    means: Map<string, { mean: number; se: number; blup: number }>;
    overall: Map<string, number>;
  }
  const meansOf = async (plots: readonly Plot[], model: string): Promise<Means> => {
    const id = await create(await upload(table(plots)), { model, structure: 'cs' });
    expect((await settled(id)).error_extras).toEqual({ Yield: null });
    const { data } = (await owner.call('GET', `${analyses()}/${id}/means?trait=Yield&limit=100`)).body;
    const { lines } = (await owner.call('GET', `${analyses()}/${id}/series?trait=Yield`)).body;
    const named = (line: string): string => line.replace('new ', '');
    return {
      means: new Map(
        data.map((row: { environment: string; line: string; mean: number; se: number; blup: number }) => [
          `${row.environment} ${named(row.line)}`,
          row,
        ]),
      ),
      overall: new Map(lines.line.map((line: string, i: number) => [named(line), lines.overall[i]])),
    };
  };
  for (const model of ['rowcol', 'ar1']) {
    const expected = await meansOf(files.base, model);
    expect([expected.means.size, expected.overall.size]).toEqual([24, 12]);
    for (const name of ['renamed', 'mirrored', 'emptied'] as const) {
      const found = await meansOf(files[name], model);
      for (const [key, { mean, se, blup }] of expected.means) {
        const own = found.means.get(key);
        // Estimates of variances end where their scores are below 1e-8, from another order of rows.
        expect(Math.abs((own?.mean ?? Number.NaN) - mean), `${model} ${name} ${key}`).toBeLessThan(1e-6);
        expect(Math.abs((own?.se ?? Number.NaN) - se), `${model} ${name} ${key}`).toBeLessThan(1e-6);
        expect(Math.abs((own?.blup ?? Number.NaN) - blup), `${model} ${name} ${key}`).toBeLessThan(1e-6);
      }
      for (const [line, value] of expected.overall)
        expect(Math.abs((found.overall.get(line) ?? Number.NaN) - value), `${model} ${name} ${line}`).toBeLessThan(
          1e-6,
        );
    }
  }

  // A line of one trial only is predicted in the other one, where it has no mean.
  const only = base.map((plot) =>
    plot.environment === 'Bonn' && plot.line === 'L7' ? { ...plot, line: 'New' } : plot,
  );
  const id = await create(await upload(table(only)), { structure: 'cs' });
  await settled(id);
  const line = (await owner.call('GET', `${analyses()}/${id}/lines/New?trait=Yield`)).body;
  expect(line.environments).toMatchObject([
    { environment: 'Bonn', replicates: 2, mean: expect.any(Number), value: expect.any(Number) },
    { environment: 'Kiel', replicates: 0, mean: null, value: expect.any(Number) },
  ]);
  // Where lines differ alike in both trials, both know as much of it.
  expect(line.environments[1].value_se).toBeGreaterThanOrEqual(line.environments[0].value_se - 1e-9);
});

test('a worker without the memory for a trial leaves it to a larger one', {
  tags: 'whole',
  timeout: PATIENCE_MS,
}, async () => {
  const { db } = product.services;
  await product.stopWorker();
  // One that is alive, and has its hands full.
  const large = { id: uuidv7(), host: 'large', cores: 8, memory_mb: 64_000, disk_mb: 64_000 };
  await db.insertInto('workers').values(large).execute();
  const small = startWorkerProcess(product, { WORKER_MEMORY_MB: '256' });
  try {
    // 1,500 plots are planned with more than that.
    const plots = Array.from(
      { length: 1500 },
      (_, i): Plot => ({
        ...{
          environment: 'Bonn',
          line: `L${i % 750}`,
          rep: String(i < 750 ? 1 : 2),
          block: String(Math.floor(i / 75) + 1),
          kind: 'entry',
        },
        ...{
          row: String((i % 50) + 1),
          column: String(Math.floor(i / 50) + 1),
          value: String(50 + Math.sin(i * 12.9898)),
        },
      }),
    );
    const id = await create(await upload(table(plots)), { model: 'blocks' });
    const handedOn = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pgboss.job
        where data ->> 'job' = 'fit-trials' and data -> 'payload' ->> 'trial_analysis_id' = ${id} and start_after > now()
      `.execute(db);
      return rows[0]?.count ?? 0;
    };
    await until(handedOn, (count) => count === 1, PATIENCE_MS);
    expect((await read(id)).status).toEqual({ Yield: 'PROCESSING' });
    expect(await stored(id)).toEqual([]);
    await product.startWorker();
    expect((await settled(id)).status).toEqual({ Yield: 'SUCCESS' });
  } finally {
    small.kill('SIGKILL');
    await db.deleteFrom('workers').where('id', '=', large.id).execute();
  }
});
