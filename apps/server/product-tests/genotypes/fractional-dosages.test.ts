import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { importGenotype } from '@heterosis/analysis/genotype/import-genotype';
import { prepareGwas } from '@heterosis/analysis/gwas/prepare-gwas';
import { testGwasMarkers } from '@heterosis/analysis/gwas/test-gwas-markers';
import { openPanelBlocks, openPanelFiles } from '@heterosis/analysis/inputs/open-panel';
import { readPhenotype } from '@heterosis/analysis/inputs/read-phenotype';
import { predict } from '@heterosis/analysis/prediction/predict';
import { trainModel } from '@heterosis/analysis/prediction/train-model';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { type ByteSource, memorySource } from '@heterosis/file-formats/byte-source';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepBin } from '../../src/features/work/runs/sweep/index.ts';
import { openStoredBlocks } from '../../src/platform/object-storage/stored-panel.ts';
import {
  download,
  type Person,
  type Product,
  type Project,
  settledModel,
  startProduct,
  until,
} from '../../src/testing/product.ts';

const N = 40;
/** Three chunks of the GWAS, which have 1,024 markers when the arithmetic in each is small. */
const MARKERS = 2500;
const SMALL_CHUNKS = { compute: { threads: 1, memoryMb: 1024, chunkGflop: 0.001, tileMarkers: 8192 } };
const NAMES = Array.from({ length: N }, (_, i) => `L${i}`);

/** A plain linear congruential generator (Park & Miller 1988). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (48_271 * state) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Dosages by marker and individual, null when missing; every fifth marker has whole numbers only. */
const dosages: (number | null)[][] = (() => {
  const random = numbers(21);
  return Array.from({ length: MARKERS }, (_, j) => {
    const p = 0.2 + 0.6 * random();
    return NAMES.map(() => {
      const whole = Number(random() < p) + Number(random() < p);
      const soft = Math.min(2, Math.max(0, whole + 0.7 * (random() - 0.5)));
      if (random() < 0.02) return null;
      return j % 5 === 0 ? whole : Math.round(1000 * soft) / 1000;
    });
  });
})();
const isFraction = (d: number | null): d is number => d !== null && !Number.isInteger(d);
const FRACTIONAL = {
  calls: dosages.flat().filter(isFraction).length,
  markers: dosages.filter((marker) => marker.some(isFraction)).length,
};

const LEAD = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
const place = (j: number) => [1 + Math.floor((3 * j) / MARKERS), 100 + j];
const lines = (rows: (string | number)[][], separator: string) =>
  rows.map((row) => `${row.join(separator)}\n`).join('');
const VCF = `##fileformat=VCFv4.2\n${lines(
  [
    [...LEAD, ...NAMES],
    ...dosages.map((marker, j) => [
      ...place(j),
      `m${j}`,
      'A',
      'C',
      '.',
      '.',
      '.',
      'DS',
      ...marker.map((d) => d ?? '.'),
    ]),
  ],
  '\t',
)}`;
const MATRIX = lines(
  [
    ['marker', 'chrom', 'pos', 'REF', 'ALT', ...NAMES],
    ...dosages.map((marker, j) => [`m${j}`, ...place(j), 'A', 'C', ...marker.map((d) => d ?? 'NA')]),
  ],
  ',',
);
const PHENOTYPE = (() => {
  const random = numbers(4);
  return lines(
    [
      ['line', 'Yield'],
      ...NAMES.map((name, i) => [
        name,
        3 * (dosages[7]?.[i] ?? 1) + [11, 1203, 2404].reduce((sum, j) => sum + (dosages[j]?.[i] ?? 1), 0) + random(),
      ]),
    ],
    ',',
  );
})();

const CONTEXT = { threads: 1 };
let folder: string;
let product: Product;
let owner: Person;
let project: Project;
let vcf: FileDetail;
let matrix: FileDetail;
let phenotype: FileDetail;
beforeAll(async () => {
  product = await startProduct({ changes: SMALL_CHUNKS });
  owner = await product.person('olga');
  project = await product.project(owner);
  const upload = (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string) =>
    product.uploadChecked(owner, project, { name, fileType, bytes });
  vcf = await upload('imputed.vcf', 'GENOTYPE', VCF);
  matrix = await upload('imputed.csv', 'GENOTYPE', MATRIX);
  phenotype = await upload('trial.csv', 'PHENOTYPE', PHENOTYPE);
  folder = await mkdtemp(join(tmpdir(), 'heterosis-dosages-'));
  const source = memorySource(Buffer.from(VCF), 'imputed.vcf');
  const { panel } = await importGenotype({ source, outPrefix: join(folder, 'panel') }, CONTEXT);
  expect(panel?.fractional).toEqual(FRACTIONAL);
});
afterAll(async () => {
  await product.close();
  await rm(folder, { recursive: true, force: true });
});

const readTrial = async () => (await readPhenotype(memorySource(Buffer.from(PHENOTYPE), 'trial.csv'), CONTEXT)).table!;
const keysOf = async ({ id }: { id: string }): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of product.services.storage.list(`projects/${project.projectId}/files/${id}/`))
    keys.push(key);
  return keys;
};
const storedPanel = async ({ id }: { id: string }) => {
  const { meta } = await product.services.db
    .selectFrom('files')
    .select('meta')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return (meta as { keys: { bed: string; bim: string; fam: string; dosage: string } }).keys;
};

test('the dosages of a VCF and of a matrix are stored beside the panel, and counted', async () => {
  expect([vcf.format, matrix.format]).toEqual(['vcf', 'numeric-matrix']);
  const { storage } = product.services;
  const bytesOf = async (key: string) => {
    const source = await storage.open(key);
    try {
      return Buffer.from(await source.read(0, source.size));
    } finally {
      await source.close();
    }
  };
  const parts: Buffer[] = [];
  for (const file of [vcf, matrix]) {
    expect(file.fractional_dosages).toEqual(FRACTIONAL);
    expect((await keysOf(file)).filter((key) => key.endsWith('dosage'))).toEqual([(await storedPanel(file)).dosage]);
    parts.push(await bytesOf((await storedPanel(file)).dosage));
  }
  expect(parts[0]?.equals(parts[1] ?? Buffer.alloc(0))).toBe(true);
  const { body: qc } = await owner.call('GET', `${project.address}/files/${vcf.id}/qc`);
  expect(qc.phased).toBe(false);
  expect(phenotype.fractional_dosages).toBeNull();
});

test('training and prediction give the numbers of the analysis of the files', async () => {
  const made = await owner.call('POST', `${project.address}/models`, {
    name: 'Imputed',
    genotype_id: vcf.id,
    phenotype_id: phenotype.id,
    traits: ['Yield'],
    n_repetition: 1,
  });
  const model = await settledModel(owner, project, made.body.id);
  expect(model.status).toEqual({ Yield: 'EVALUATED' });
  const panel = await openPanelFiles(join(folder, 'panel'));
  try {
    const trained = await trainModel({ panel, phenotype: await readTrial(), traits: ['Yield'] }, CONTEXT);
    const fit = trained.traits[0]!.fit!;
    const { body } = await owner.call('GET', `${project.address}/models/${model.id}/effects?trait=Yield&limit=100`);
    for (const [k, { id, additive }] of body.data.entries()) {
      expect(id).toBe(trained.markers.id[k]);
      expect(Math.abs(additive - fit.additive[k]!)).toBeLessThan(1e-9);
    }
    const asked = await owner.call('POST', `${project.address}/predictions`, {
      name: 'Matrix',
      model_id: model.id,
      genotype_id: matrix.id,
    });
    const prediction = await until<PredictionDetail>(
      async () => (await owner.call('GET', `${project.address}/predictions/${asked.body.id}`)).body,
      ({ status }) => status !== 'PROCESSING',
    );
    expect(prediction.status).toBe('SUCCESS');
    const expected = (await predict({ model: trained, panel }, CONTEXT)).traits[0]!;
    const { data } = (await owner.call('GET', `${project.address}/predictions/${prediction.id}/results?limit=100`))
      .body;
    const found = new Map<string, number>(
      data.map((row: { individual: string; gebv: number[] }) => [row.individual, row.gebv[0]]),
    );
    expect(found.size).toBe(N);
    for (const [i, name] of NAMES.entries()) expect(Math.abs(found.get(name)! - expected.gebv[i]!)).toBeLessThan(1e-9);
  } finally {
    await panel.close();
  }
});

test('a GWAS in several jobs gives the numbers of the analysis of the files', { tags: 'whole' }, async () => {
  const made = await owner.call('POST', `${project.address}/gwas`, {
    name: 'Imputed',
    genotype_id: matrix.id,
    phenotype_id: phenotype.id,
    traits: ['Yield'],
    test: 'WALD',
  });
  const gwas = await until<GwasDetail>(
    async () => (await owner.call('GET', `${project.address}/gwas/${made.body.id}`)).body,
    ({ status }) => status.Yield !== 'PROCESSING',
  );
  expect(gwas.status).toEqual({ Yield: 'SUCCESS' });
  const { rows } = await sql<{ jobs: { job: string }[] }>`
    select jobs from runs where entity_id = ${gwas.id}
  `.execute(product.services.db);
  expect(rows[0]?.jobs.length).toBeGreaterThan(3);
  const panel = await openPanelBlocks(join(folder, 'panel'));
  try {
    const { states } = await prepareGwas(
      { panel, phenotype: await readTrial(), traits: ['Yield'], test: 'WALD', maf: 0.05, callRate: 0.9 },
      CONTEXT,
    );
    const [columns] = await testGwasMarkers(states[0]!, panel, { first: 0, count: MARKERS }, CONTEXT);
    const { text } = await download(product.app, gwas.result_urls.Yield ?? '');
    const [head = '', ...table] = text.trim().split('\n');
    const at = (name: string) => head.split(',').indexOf(name);
    const results = table.map((line) => line.split(','));
    expect(results).toHaveLength(columns!.markerIndex.length);
    for (const [k, cells] of results.entries()) {
      expect(cells[at('id')]).toBe(`m${columns!.markerIndex[k]}`);
      for (const [name, values] of [
        ['freqA2', columns!.freqA2],
        ['beta', columns!.beta],
        ['neg_log10_p', columns!.negLog10P],
      ] as const)
        expect(Math.abs(Number(cells[at(name)]) - values[k]!)).toBeLessThanOrEqual(1e-6 * (1 + Math.abs(values[k]!)));
    }
  } finally {
    await panel.close();
  }
});

test('a chunk reads the dosages of its own markers only', async () => {
  const keys = await storedPanel(vcf);
  const { storage } = product.services;
  const ranges: [number, number][] = [];
  const watched = (source: ByteSource): ByteSource => ({
    name: source.name,
    size: source.size,
    stream: () => {
      throw new Error('the whole file is read');
    },
    read: (offset, length) => {
      ranges.push([offset, length]);
      return source.read(offset, length);
    },
    close: () => source.close(),
  });
  let size = 0;
  const open = async (key: string, name?: string) => {
    const source = await storage.open(key, name);
    if (key !== keys.dosage) return source;
    size = source.size;
    return watched(source);
  };
  const panel = await openStoredBlocks({ open }, keys);
  try {
    const opening = ranges.reduce((sum, [, length]) => sum + length, 0);
    // A bit for each marker, and the head.
    expect(opening).toBeLessThan(MARKERS / 8 + 100);
    ranges.length = 0;
    const block = await panel.dosages?.read(1024, 1024);
    const rows = dosages.slice(1024, 2048).filter((marker) => marker.some(isFraction)).length;
    expect(block?.values.length).toBe(rows * N);
    expect(ranges.reduce((sum, [, length]) => sum + length, 0)).toBe(2 * rows * N);
    expect(2 * rows * N).toBeLessThan(size / 2);
  } finally {
    await panel.close();
  }
});

test('an export as VCF has GT:DS at markers with fractions, and GT at the others', async () => {
  const text = gunzipSync(await fetchExport(vcf.id, 'vcf')).toString();
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(rows).toHaveLength(MARKERS);
  for (const [j, row] of rows.entries()) {
    const [, , id, , , , , , format, ...cells] = row.split('\t');
    expect([id, format]).toEqual([`m${j}`, j % 5 === 0 ? 'GT' : 'GT:DS']);
    if (format === 'GT') continue;
    for (const [i, cell] of cells.entries()) {
      const dosage = dosages[j]![i]!;
      const written = cell.split(':')[1];
      if (dosage === null) expect(cell).toBe('./.:.');
      else expect(Math.abs(Number(written) - dosage)).toBeLessThanOrEqual(1 / 32_768);
    }
  }
});

async function fetchExport(id: string, format: string): Promise<Buffer> {
  const answer = await product.app.inject({
    method: 'GET',
    url: `${project.address}/files/${id}/export?format=${format}`,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
}

test('another check replaces the dosages, and deleting the file for good removes them', async () => {
  const { db } = product.services;
  const { dosage: before } = await storedPanel(matrix);
  expect((await owner.call('POST', `${project.address}/files/${matrix.id}/check`, {})).status).toBe(200);
  await until(
    async () => (await owner.call('GET', `${project.address}/files/${matrix.id}`)).body,
    ({ status }) => status === 'READY' || status === 'READY_WITH_WARNINGS',
  );
  const { dosage: after } = await storedPanel(matrix);
  expect(after).not.toBe(before);
  const old = await until(
    () => keysOf(matrix),
    (keys) => !keys.includes(before),
  );
  expect(old).toContain(after);
  expect((await owner.call('DELETE', `${project.address}/files/${matrix.id}?cascade=true`)).status).toBe(204);
  expect(await keysOf(matrix)).toContain(after);
  await sql`update files set deleted_at = now() - interval '31 days' where id = ${matrix.id}`.execute(db);
  await sweepBin(product.services);
  expect(await keysOf(matrix)).toEqual([]);
});
