import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { gwasRow } from '@heterosis/contracts/work/gwas';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { openZip } from '@heterosis/file-formats/compression/zip-archive';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  download,
  MAIZE,
  type MaizeFiles,
  type Person,
  type Product,
  type Project,
  startProduct,
  until,
  uploadMaize,
} from '../../../testing/product.ts';
import { runGwasJob } from './jobs.ts';
import { gwasJobRegistrations } from './run-gwas.handler.ts';

/** 3,093 markers in blocks of 1,024: four chunks. */
const SMALL_CHUNKS = { compute: { threads: 1, memoryMb: 1024, chunkGflop: 0.01, tileMarkers: 8192 } };
const ALL_AT_ONCE = { compute: { threads: 1, memoryMb: 1024, chunkGflop: 400, tileMarkers: 8192 } };

interface World {
  product: Product;
  owner: Person;
  project: Project;
  maize: MaizeFiles;
}

async function startWorld(changes: Parameters<typeof startProduct>[0]): Promise<World> {
  const product = await startProduct(changes);
  const owner = await product.person('owner');
  const project = await product.project(owner);
  return { product, owner, project, maize: await uploadMaize(product, project) };
}

let flow: World;
let alone: World;
beforeAll(async () => {
  flow = await startWorld({ changes: SMALL_CHUNKS });
  alone = await startWorld({ changes: ALL_AT_ONCE });
});
afterAll(async () => {
  await flow.product.close();
  await alone.product.close();
});

let count = 0;
const body = ({ maize }: World, changes: object = {}) => ({
  name: `GWAS ${++count}`,
  genotype_id: maize.genotype.id,
  phenotype_id: maize.phenotype.id,
  traits: ['dpoll'],
  ...changes,
});

async function create(world: World, changes: object = {}): Promise<GwasDetail> {
  const made = await world.owner.call('POST', `${world.project.address}/gwas`, body(world, changes));
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const read = async ({ owner, project }: World, id: string): Promise<GwasDetail> =>
  (await owner.call('GET', `${project.address}/gwas/${id}`)).body;
const settled = (world: World, id: string): Promise<GwasDetail> =>
  until(
    () => read(world, id),
    ({ status }) => Object.values(status).every((one) => one !== 'PROCESSING'),
  );

async function csvOf({ product }: World, gwas: GwasDetail, trait: string): Promise<string> {
  const { status, text } = await download(product.app, gwas.result_urls[trait] ?? '');
  expect(status).toBe(200);
  return text;
}

const jobsOf = async ({ product }: World, gwasId: string): Promise<{ job: string; id: string }[]> => {
  const run = await product.services.db
    .selectFrom('runs')
    .select('jobs')
    .where('entity_id', '=', gwasId)
    .executeTakeFirstOrThrow();
  return run.jobs as { job: string; id: string }[];
};

/** Files of a GWAS in the storage other than its results. */
async function leftParts({ product, project }: World, gwasId: string): Promise<string[]> {
  const prefix = `projects/${project.projectId}/gwas/${gwasId}/`;
  const keys: string[] = [];
  for await (const { key } of product.services.storage.list(prefix)) keys.push(key);
  return keys.filter((key) => key.includes('/parts/'));
}

test('dominance, chromosomes left out and the kinds of covariates are kept, and every row has its figures', async () => {
  const choices = { test: 'LRT', dominance: true, loco: true };
  const changes = { ...choices, covariates: ['eardia'], covariate_kinds: { eardia: 'numeric' } };
  const run = await settled(flow, (await create(flow, changes)).id);
  expect(run).toMatchObject({ ...choices, covariates: ['EarDia'], status: { dpoll: 'SUCCESS' } });
  expect(run.provenance.parameters).toMatchObject({ ...choices, covariate_kinds: { EarDia: 'numeric' } });
  expect(run.methods).toContain('dominance deviation');
  expect(run.methods).toContain('one chromosome left out');
  const { h2, h2_se, kinship_pve = 0, at_bound } = run.summary.dpoll ?? {};
  expect(h2_se).toBeGreaterThan(0);
  // The standardized kinship of inbred lines has a mean eigenvalue near 2.
  expect(kinship_pve).toBeGreaterThan(h2 ?? 0);
  expect(at_bound).toBeGreaterThanOrEqual(0);
  const { owner, project } = flow;
  const results = await owner.call('GET', `${project.address}/gwas/${run.id}/results?trait=dpoll&limit=50`);
  const [row] = results.body.data;
  const { beta, sd, n, pve, dom_effect, dom_se, dom_p } = gwasRow.parse(row);
  expect(pve).toBeCloseTo((beta ?? 0) ** 2 / ((beta ?? 0) ** 2 + n * (sd ?? 0) ** 2), 12);
  expect(typeof dom_effect === typeof dom_se && typeof dom_se === typeof dom_p).toBe(true);
  expect((await csvOf(flow, run, 'dpoll')).split('\n')[0]).toContain('pve,at_bound,dom_effect,dom_se,dom_p');
  const refused = await owner.call(
    'POST',
    `${project.address}/gwas`,
    body(flow, { covariate_kinds: { EarDia: 'code' } }),
  );
  expect(refused.status).toBe(400);
});

test('permutations and a multi-locus model are kept, and the same over chunks as in one piece', {
  tags: 'whole',
}, async () => {
  const changes = { test: 'LRT', traits: ['dpoll', 'EarHT'], permutations: 99, stepwise: 3 };
  const whole = await settled(alone, (await create(alone, changes)).id);
  const chunked = await settled(flow, (await create(flow, changes)).id);
  expect(whole.status).toEqual({ dpoll: 'SUCCESS', EarHT: 'SUCCESS' });
  expect(whole.provenance).toMatchObject({ seed: 1, parameters: { permutations: 99, stepwise: 3 } });
  expect(whole.methods).toContain('99 permutations');
  expect(whole.methods).toContain('multi-locus mixed model of up to 3 steps');
  for (const trait of ['dpoll', 'EarHT']) {
    const { permutations, stepwise, bonferroni = 0 } = whole.summary[trait] ?? {};
    expect(permutations).toMatchObject({ count: 99, seed: 1 });
    // 2,371 markers in LD are fewer than as many independent ones.
    expect((permutations?.p ?? 0) / bonferroni).toBeGreaterThan(0.3);
    expect((permutations?.p ?? 0) / bonferroni).toBeLessThan(10);
    // Forward 0 to 3 markers, backward 2 and 1.
    expect(stepwise?.models.map(({ markers }) => markers.length)).toEqual([0, 1, 2, 3, 2, 1]);
    expect(stepwise?.models[1]?.markers[0]).toMatchObject({ id: expect.any(String), chr: expect.any(String) });
    expect(chunked.summary[trait]?.permutations).toEqual(permutations);
    expect(chunked.summary[trait]?.stepwise).toEqual(stepwise);
  }
  const refused = await alone.owner.call(
    'POST',
    `${alone.project.address}/gwas`,
    body(alone, { stepwise: 3, loco: true }),
  );
  expect(refused.status).toBe(400);
  for (const wrong of [{ permutations: 5 }, { permutations: 1e6 }, { stepwise: 0 }, { stepwise: 1.5 }]) {
    const answer = await alone.owner.call('POST', `${alone.project.address}/gwas`, body(alone, wrong));
    expect(answer.status, JSON.stringify(wrong)).toBe(400);
  }
});

describe('covariates', () => {
  test('are kept, used, named in the methods and the same over chunks as in one piece', { tags: 'whole' }, async () => {
    const changes = { traits: ['EarHT', 'dpoll'], covariates: ['EarDia', 'EarDia'], test: 'SCORE', fixed: 1 };
    const whole = await settled(alone, (await create(alone, changes)).id);
    expect(whole.status).toEqual({ EarHT: 'SUCCESS', dpoll: 'SUCCESS' });
    expect(whole.covariates).toEqual(['EarDia']);
    expect(whole.provenance.parameters).toMatchObject({ covariates: ['EarDia'] });
    expect(whole.model).toContain('1 principal component and EarDia in X');
    expect(whole.methods).toContain('The covariate EarDia was fitted as fixed effects');
    const { summary } = whole;
    expect(summary.EarHT?.covariates).toEqual([{ name: 'EarDia', use: 'used' }]);
    expect((summary.EarHT?.n ?? 0) + (summary.EarHT?.without_covariate ?? 0)).toBe(279);
    expect(summary.EarHT?.without_covariate).toBeGreaterThan(0);

    const listed = await alone.owner.call(
      'GET',
      `${alone.project.address}/gwas?name=${encodeURIComponent(whole.name)}`,
    );
    expect(listed.body.data[0].covariates).toEqual(['EarDia']);
    const without = await settled(alone, (await create(alone, { ...changes, covariates: [] })).id);
    expect(without.covariates).toEqual([]);
    expect(without.summary.EarHT?.n).toBe(279);
    expect(without.methods).not.toContain('covariate');

    const chunked = await settled(flow, (await create(flow, changes)).id);
    for (const trait of changes.traits) {
      expect(chunked.summary[trait]).toEqual(whole.summary[trait]);
      expect(await csvOf(flow, chunked, trait)).toBe(await csvOf(alone, whole, trait));
      expect(await csvOf(alone, without, trait)).not.toBe(await csvOf(alone, whole, trait));
    }
  });

  test('of words and of the design are groups: offered, coded, and described with their reference', async () => {
    const { owner, project, product } = alone;
    const [header, ...lines] = readFileSync(join(MAIZE, 'phenotypes.csv'), 'utf8').trimEnd().split(/\r?\n/);
    const origins = ['flint', 'dent', 'pop'];
    const rows = lines.map((line, i) => `${line},${origins[i % 3]},${2020 + (i % 2)},note ${i}`);
    const bytes = `${header},Origin,Year,Note\n${rows.join('\n')}\n`;
    const file = await product.uploadChecked(owner, project, { name: 'groups.csv', fileType: 'PHENOTYPE', bytes });
    expect(file.meta).toMatchObject({ traits: ['EarHT', 'dpoll', 'EarDia'], groups: ['Origin', 'Year'] });
    const changes = { phenotype_id: file.id, test: 'SCORE' };
    const gwas = await settled(alone, (await create(alone, { ...changes, covariates: ['origin', 'Year'] })).id);
    expect(gwas.covariates).toEqual(['Origin', 'Year']);
    expect(gwas.summary.dpoll?.covariates).toEqual([
      { name: 'Origin', use: 'used', groups: { count: 3, reference: 'dent', alone: [], explained: [] } },
      { name: 'Year', use: 'used', groups: { count: 2, reference: '2020', alone: [], explained: [] } },
    ]);
    expect(gwas.methods).toContain('Origin (reference dent) and Year (reference 2020) are categorical');
    const noted = await settled(alone, (await create(alone, { ...changes, covariates: ['Note'] })).id);
    expect(noted.error_extras.dpoll?.code).toBe('gwas/too-many-groups');
  });
});

describe('a GWAS over blocks of markers', () => {
  test('is spread over chunks, gives the same bytes as in one piece, and leaves nothing behind', {
    tags: 'whole',
  }, async () => {
    const traits = ['dpoll', 'EarHT', 'EarDia'];
    const inChunks = await create(flow, { traits, fixed: 3 });
    const inOne = await create(alone, { traits, fixed: 3 });
    const [chunked, whole] = await Promise.all([settled(flow, inChunks.id), settled(alone, inOne.id)]);
    expect(chunked.status).toEqual({ dpoll: 'SUCCESS', EarHT: 'SUCCESS', EarDia: 'SUCCESS' });
    const jobNames = Map.groupBy(await jobsOf(flow, inChunks.id), ({ job }) => job);
    // The three traits are observed on different individuals.
    expect(jobNames.get('test-gwas-markers')).toHaveLength(12);
    expect(jobNames.get('finish-gwas')).toHaveLength(1);
    expect((await jobsOf(alone, inOne.id)).map(({ job }) => job)).toEqual(['run-gwas']);
    for (const trait of traits) {
      expect(chunked.summary[trait]).toEqual(whole.summary[trait]);
      expect(await csvOf(flow, chunked, trait)).toBe(await csvOf(alone, whole, trait));
    }
    // The parts are deleted once the results are stored.
    await until(
      () => leftParts(flow, inChunks.id),
      (parts) => parts.length === 0,
    );
  });

  test('is cancelled before it has begun, and run again', async () => {
    await flow.product.stopWorker();
    const { id } = await create(flow);
    const cancelled = await flow.owner.call('POST', `${flow.project.address}/gwas/${id}/cancel`);
    expect(cancelled.body.status).toEqual({ dpoll: 'ERROR' });
    expect(cancelled.body.error_extras.dpoll.code).toBe('runs/cancelled');
    await flow.product.startWorker();
    const again = await flow.owner.call('POST', `${flow.project.address}/gwas/${id}/retry`);
    expect(again.status, again.text).toBe(200);
    expect((await settled(flow, id)).status).toEqual({ dpoll: 'SUCCESS' });
  });

  test('goes on where it was after its worker has stopped in the middle, with the same result', async () => {
    const undisturbed = await settled(flow, (await create(flow, { traits: ['EarHT'] })).id);
    const { id } = await create(flow, { traits: ['EarHT'] });
    await until(
      () => jobsOf(flow, id),
      (jobs) => jobs.some(({ job }) => job === 'test-gwas-markers'),
    );
    await flow.product.stopWorker();
    expect((await read(flow, id)).status).toEqual({ EarHT: 'PROCESSING' });
    await flow.product.startWorker();
    const after = await settled(flow, id);
    expect(after.status).toEqual({ EarHT: 'SUCCESS' });
    expect(await csvOf(flow, after, 'EarHT')).toBe(await csvOf(flow, undisturbed, 'EarHT'));
    // The parts are deleted once the results are stored.
    await until(
      () => leftParts(flow, id),
      (parts) => parts.length === 0,
    );
  });

  test('is planned once, also when its first job is delivered again before the queue heard of its end', {
    tags: 'whole',
  }, async () => {
    await flow.product.stopWorker();
    const { id } = await create(flow);
    const runs = flow.product.services.db.selectFrom('runs').select(['id', 'attempt']).where('entity_id', '=', id);
    const prepare = gwasJobRegistrations(flow.product.services).find(
      ({ definition }) => definition.name === runGwasJob.name,
    );
    const job = {
      id: 'a job',
      payload: { project_id: flow.project.projectId, gwas_id: id, run_id: (await runs.executeTakeFirstOrThrow()).id },
      attempt: 1,
      signal: new AbortController().signal,
      reserve: async () => {},
    };
    await prepare?.handler(job);
    const planned = await jobsOf(flow, id);
    expect(planned.length).toBeGreaterThan(2);
    await prepare?.handler({ ...job, attempt: 2 });
    expect(await jobsOf(flow, id)).toEqual(planned);
    expect((await runs.executeTakeFirstOrThrow()).attempt).toBe(1);
    await flow.product.startWorker();
    expect((await settled(flow, id)).status).toEqual({ dpoll: 'SUCCESS' });
  });

  test('whose file is deleted before it has begun ends in a clear error', async () => {
    await flow.product.stopWorker();
    const { id } = await create(flow);
    const gone = await flow.owner.call(
      'DELETE',
      `${flow.project.address}/files/${flow.maize.phenotype.id}?cascade=true`,
    );
    expect(gone.status, gone.text).toBe(204);
    const ended = await read(flow, id);
    expect(ended.status).toEqual({ dpoll: 'ERROR' });
    expect(ended.error_extras.dpoll?.code).toBe('models/input-gone');
    expect(ended.phenotype_id).toBeNull();
    await flow.product.startWorker();
  });
});

describe('results', () => {
  let gwas: GwasDetail;
  const get = (path: string) => alone.owner.call('GET', `${alone.project.address}/gwas/${gwas.id}/${path}`);
  beforeAll(async () => {
    gwas = await settled(alone, (await create(alone, { test: 'WALD' })).id);
  });

  test('come page by page, strongest first or along the genome, and of one region', async () => {
    const first = await get('results?trait=dpoll&limit=5');
    expect(first.body.data).toHaveLength(5);
    const p = first.body.data.map((row: { p: number }) => row.p);
    expect(p).toEqual(p.toSorted((a: number, b: number) => a - b));
    expect(first.body.data[0].id).toBe(gwas.summary.dpoll?.top?.id);
    expect(gwasRow.parse(first.body.data[0])).toEqual(first.body.data[0]);
    const second = await get(`results?trait=dpoll&limit=5&cursor=${encodeURIComponent(first.body.next_cursor)}`);
    expect(second.body.data[0].p).toBeGreaterThanOrEqual(p[4]);

    const region = await get('results?trait=dpoll&chr=10&start=1000000&end=50000000&sort=position&limit=500');
    const rows: { id: string; chr: string; pos: number }[] = region.body.data;
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.every(({ chr, pos }) => chr === '10' && pos >= 1e6 && pos <= 5e7)).toBe(true);
    expect(rows.map(({ pos }) => pos)).toEqual(rows.map(({ pos }) => pos).toSorted((a, b) => a - b));

    const several = await get('results?trait=dpoll&chr=9&to_chr=10&sort=position&limit=500');
    const ninth = await get('results?trait=dpoll&chr=9&sort=position&limit=500');
    const tenth = await get('results?trait=dpoll&chr=10&sort=position&limit=500');
    expect(several.body.data).toEqual([...ninth.body.data, ...tenth.body.data]);
    expect((await get('results?trait=dpoll&chr=9&to_chr=none')).body.data).toEqual([]);

    const strong = await get('results?trait=dpoll&max_p=0.01&limit=500');
    const all = await get('results?trait=dpoll&limit=500');
    expect(strong.body.data).toEqual(all.body.data.filter((row: { p: number }) => row.p <= 0.01));
    const between = await get('results?trait=dpoll&max_p=0.01&min_p=0.001&limit=500');
    expect(between.body.data).toEqual(strong.body.data.filter((row: { p: number }) => row.p >= 0.001));
    const named = await get(`results?trait=dpoll&ids=${encodeURIComponent(`PZA03591.1\nnobody\n${rows[3]?.id}`)}`);
    expect(named.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      ['PZA03591.1', rows[3]?.id].toSorted(),
    );
    expect((await get('results?trait=dpoll&ids=nobody')).body.data).toEqual([]);
    const many = Array.from({ length: 401 }, (_, index) => index).join('%0A');
    expect((await get(`results?trait=dpoll&ids=${many}`)).status).toBe(400);
  });

  test('of one region are drawn marker by marker', async () => {
    const { rawPayload } = await alone.product.app.inject({
      url: `${alone.project.address}/gwas/${gwas.id}/plot?trait=dpoll&chr=10&start=1000000&end=50000000`,
      headers: { authorization: `Bearer ${alone.owner.token}` },
    });
    const points = new Float32Array(Uint8Array.from(rawPayload).buffer);
    const { body } = await get('results?trait=dpoll&chr=10&start=1000000&end=50000000&sort=position&limit=500');
    const rows: { pos: number; neg_log10_p: number }[] = body.data;
    expect([...points]).toEqual(
      rows.flatMap(({ pos, neg_log10_p }) => [9, Math.fround(pos), Math.fround(neg_log10_p)]),
    );
  });

  test('are drawn: points of the Manhattan plot, expected against observed, a picture', async () => {
    const plot = await get('plot?trait=dpoll');
    expect(plot.headers['content-type']).toBe('application/octet-stream');
    expect((await get('qq?trait=dpoll')).body.lambda).toBeCloseTo(gwas.summary.dpoll?.lambda ?? Number.NaN, 10);
    const image = await download(alone.product.app, gwas.image_urls.dpoll ?? '');
    expect(image.text).toMatch(/^<svg /);
    expect(gwas.chromosomes.dpoll).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(gwas.methods).toContain('Wald test');
  });

  test('of one marker show its genotype classes and its neighbours with r²', async () => {
    const marker = gwas.summary.dpoll?.top?.id ?? '';
    const { body: detail } = await get(`markers/${encodeURIComponent(marker)}?trait=dpoll`);
    const values = detail.classes.flatMap((one: { values: number[] }) => one.values);
    expect(values.length).toBeGreaterThan(200);
    expect(detail.neighbours.length).toBeGreaterThan(10);
    for (const { r2 } of detail.neighbours) expect(r2 === null || (r2 >= 0 && r2 <= 1)).toBe(true);
    expect((await get('markers/nowhere?trait=dpoll')).status).toBe(404);
  });

  test('come as a bundle with everything needed to repeat and cite them', async () => {
    const answer = await alone.product.app.inject({
      url: `${alone.project.address}/gwas/${gwas.id}/bundle`,
      headers: { authorization: `Bearer ${alone.owner.token}` },
    });
    expect(answer.statusCode).toBe(200);
    const zip = await openZip(memorySource(answer.rawPayload));
    expect(zip.names).toEqual(['run.json', 'methods.txt', '1_dpoll/gwas.csv', '1_dpoll/manhattan.svg', 'citation.txt']);
    const textOf = async (name: string) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of zip.stream(name, 1e9)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    const run = JSON.parse(await textOf('run.json'));
    expect(run.provenance.input_sha256.genotype).toMatch(/^[0-9a-f]{64}$/);
    expect(run.provenance.parameters).toMatchObject({ test: 'WALD', fixed: 0, thresh_maf: 0.05 });
    expect(await textOf('methods.txt')).toContain('Wald test');
    expect(await textOf('citation.txt')).toContain(`/gwas/${gwas.id}`);
    expect(await textOf('1_dpoll/gwas.csv')).toBe(await csvOf(alone, gwas, 'dpoll'));
  });

  test('of a trait that was not asked for do not exist', async () => {
    expect((await get('results?trait=EarHT')).body.code).toBe('models/trait-not-in-phenotype');
    expect((await get('results?trait=dpoll&chromosome=1')).status).toBe(400);
    expect((await get('results?trait=dpoll&start=-1')).status).toBe(400);
  });
});

describe('a GWAS is refused', () => {
  const refused = async (changes: object) =>
    (await alone.owner.call('POST', `${alone.project.address}/gwas`, body(alone, changes))).body;
  test.each([
    ['without a name', { name: ' ' }, 'request/invalid'],
    ['without traits', { traits: [] }, 'request/invalid'],
    ['with a trait the phenotype does not have', { traits: ['Yield'] }, 'models/trait-not-in-phenotype'],
    ['with a test that does not exist', { test: 'FISHER' }, 'request/invalid'],
    ['with more components than allowed', { fixed: 101 }, 'request/invalid'],
    ['with a frequency above one half', { thresh_maf: 0.6 }, 'request/invalid'],
    ['with a covariate the phenotype does not have', { covariates: ['EarD'] }, 'gwas/unknown-covariate'],
    ['with a trait as its own covariate', { covariates: ['dpoll'] }, 'gwas/covariate-is-trait'],
    ['with a file that is not there', { genotype_id: '00000000-0000-7000-8000-000000000000' }, 'request/not-found'],
  ])('%s', async (_, changes, code) => {
    expect((await refused(changes)).code).toBe(code);
  });

  test('with files the wrong way round', async () => {
    const { genotype, phenotype } = alone.maize;
    const answer = await refused({ genotype_id: phenotype.id, phenotype_id: genotype.id });
    expect(answer.code).toBe('files/wrong-type');
  });

  test('when the files have no name in common', async () => {
    const { owner, project, product } = alone;
    const others = `line,dpoll\n${Array.from({ length: 30 }, (_, i) => `unknown-${i},${i}`).join('\n')}\n`;
    const file = await product.uploadChecked(owner, project, { name: 'o.csv', fileType: 'PHENOTYPE', bytes: others });
    expect((await refused({ phenotype_id: file.id })).code).toBe('match/nothing-in-common');
  });

  test('under a name that is taken', async () => {
    const { name } = await create(alone, { traits: ['EarDia'] });
    expect((await refused({ name })).code).toBe('request/conflict');
  });
});

test('a marker threshold that leaves nothing ends in an error that says what to do', async () => {
  const { id } = await create(alone, { thresh_maf: 0.5, thresh_callrate: 1 });
  const { status, error_extras } = await settled(alone, id);
  expect(status).toEqual({ dpoll: 'ERROR' });
  expect(error_extras.dpoll?.action).toBeTruthy();
});

test('GWAS are listed newest first, and what is no id does not exist', async () => {
  const { owner, project } = alone;
  const ids = (await owner.call('GET', `${project.address}/gwas?limit=100`)).body.data.map(({ id }: GwasDetail) => id);
  expect(ids.length).toBeGreaterThan(1);
  expect(ids).toEqual(ids.toSorted().reverse());
  for (const path of ['gwas/none', 'gwas/none/results?trait=dpoll'])
    expect((await owner.call('GET', `${project.address}/${path}`)).status).toBe(404);
  for (const path of ['cancel', 'retry'])
    expect((await owner.call('POST', `${project.address}/gwas/none/${path}`)).status).toBe(404);
});

test('a region has the r² of its markers with the lead, its genes and the recombination rate', async () => {
  const { product, owner, project } = alone;
  const run = await settled(alone, (await create(alone)).id);
  const address = `${project.address}/gwas/${run.id}`;
  const { body: results } = await owner.call('GET', `${address}/results?trait=dpoll&limit=1`);
  const lead = results.data[0];
  const [start, end] = [lead.pos - 4_000_000, lead.pos + 4_000_000];
  const query = `trait=dpoll&chr=${lead.chr}&start=${start}&end=${end}`;
  const region = async (more = '') => (await owner.call('GET', `${address}/region?${query}${more}`)).body;

  const bare = await region();
  expect(bare).toMatchObject({ lead: lead.id, genes: null, recombination: null });
  expect(bare.total).toBe(bare.markers.length);
  expect(bare.markers.find(({ id }: { id: string }) => id === lead.id)).toMatchObject({ r2: 1, beta: lead.beta });
  // The marker's own page reads the same calls another way.
  const { body: marker } = await owner.call('GET', `${address}/markers/${lead.id}?trait=dpoll`);
  for (const { id, r2 } of marker.neighbours.filter(({ pos }: { pos: number }) => pos >= start && pos <= end))
    expect(bare.markers.find((one: { id: string }) => one.id === id)).toMatchObject({ r2 });
  const other = bare.markers.find(({ id }: { id: string }) => id !== lead.id);
  expect(await region(`&lead=${other.id}`)).toMatchObject({ lead: other.id });

  const gene = (from: number, to: number, id: string) =>
    `Chr0${lead.chr}\tx\tgene\t${from}\t${to}\t.\t-\t.\tID=${id};Name=${id}-name;Note=a%2Cb`;
  await product.uploadChecked(owner, project, {
    name: 'genes.gff3',
    fileType: 'GENES',
    bytes: ['##gff-version 3', gene(start - 10, start, 'g1'), gene(end + 1, end + 9, 'g2'), gene(9, 10, 'g3')].join(
      '\n',
    ),
  });
  await product.uploadChecked(owner, project, {
    name: 'map.csv',
    fileType: 'LINKAGE_MAP',
    bytes: `SNPid,chr,physPos,linkMapPos (cM)\na,${lead.chr},${start},10\nb,${lead.chr},${start + 2e6},13\nbeside,${lead.chr},${start + 2e6 + 90},13\nc,${lead.chr},${end},13`,
  });
  expect(await region()).toMatchObject({
    genes: {
      file: { name: 'genes.gff3' },
      total: 1,
      data: [{ id: 'g1', name: 'g1-name', start: start - 10, end: start, strand: -1, description: 'a,b' }],
    },
    recombination: {
      file: { name: 'map.csv' },
      data: [
        { start, end: start + 2e6, cm_per_mb: 1.5 },
        { start: start + 2e6, end, cm_per_mb: 0 },
      ],
    },
  });

  // A map without bp has those of the markers tested.
  const [left, right] = [bare.markers[0], bare.markers.at(-1)];
  await product.uploadChecked(owner, project, {
    name: 'centimorgan.csv',
    fileType: 'LINKAGE_MAP',
    bytes: `marker,chromosome,position_cM\n${left.id},${lead.chr},10\n${right.id},${lead.chr},12\nunknown,${lead.chr},13`,
  });
  const rate = (2 / (right.pos - left.pos)) * 1e6;
  expect((await region()).recombination).toMatchObject({
    file: { name: 'centimorgan.csv' },
    data: [{ start: left.pos, end: right.pos, cm_per_mb: expect.closeTo(rate, 9) }],
  });
});
