import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importGenotype } from '@heterosis/analysis/genotype/import-genotype';
import { openPhenotype } from '@heterosis/analysis/inputs/read-phenotype';
import { packRecord, unpackRecord } from '@heterosis/analysis/results/binary-record';
import { openFileSource } from '@heterosis/file-formats/byte-source';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ComputeContext } from '../../../platform/compute/compute.ts';
import { createLocalDiskStorage } from '../../../platform/object-storage/local-disk.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { STORED_ORDER } from '../../../platform/object-storage/stored-panel.ts';
import { compute as finish } from './finish-gwas.compute.ts';
import { chunksOf } from './plan-chunks.ts';
import { compute as prepare } from './prepare-gwas.compute.ts';
import { compute as testMarkers } from './test-gwas-markers.compute.ts';
import type { GwasTraitOutput } from './write-gwas-results.ts';

const MAIZE = fileURLToPath(new URL('../../../../../../packages/statgen/reference/maize-mdp/', import.meta.url));
const CONTEXT: ComputeContext = { threads: 1, onProgress: () => {}, signal: new AbortController().signal };
const KEYS = { bed: 'panel.bed', bim: 'panel.bim', fam: 'panel.fam' };

let directory: string;
let storage: ObjectStorage;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'write-gwas-results-'));
  storage = createLocalDiskStorage({
    directory: join(directory, 'files'),
    publicUrl: () => 'http://localhost',
    key: Buffer.alloc(32),
  });
  const source = await openFileSource(join(MAIZE, 'genotypes.vcf.gz'));
  await importGenotype(
    { source, outPrefix: join(directory, 'panel'), alleleOrder: STORED_ORDER, withQc: false },
    CONTEXT,
  );
  await source.close();
  for (const key of Object.values(KEYS)) await storage.putFile(key, join(directory, key));
  const { table } = await openPhenotype(join(MAIZE, 'phenotypes.csv'), CONTEXT);
  await storage.put('phenotype', packRecord(table));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const SETTINGS = { fixed: 1, maf: 0.05, callRate: 0.9, renames: [], dominance: false, leaveOneChromosomeOut: false };

/** Rewrites a stored record as a version wrote it that had none of these fields. */
async function writeWithout(key: string, fields: readonly string[]): Promise<void> {
  const without = (item: object) => Object.fromEntries(Object.entries(item).filter(([name]) => !fields.includes(name)));
  const record = unpackRecord<object | object[]>(await readFile(join(directory, 'files', key)));
  await storage.put(key, packRecord(Array.isArray(record) ? record.map(without) : without(record)));
}

async function run(
  name: string,
  chunkGflop: number,
  changes: { traits?: string[] },
  older: readonly string[] = [],
): Promise<GwasTraitOutput[]> {
  const folder = join(directory, name);
  await mkdir(folder);
  const inputs = {
    storage: { kind: 'local' as const, directory: join(directory, 'files') },
    panel: KEYS,
    phenotype: 'phenotype',
    directory: folder,
    clumping: { p1: 0.01, p2: 0.05, r2: 0.3, bp: 500_000 },
  };
  const kept = null;
  const request = {
    ...inputs,
    exclusions: undefined,
    covariance: null,
    ...SETTINGS,
    traits: ['dpoll'],
    together: changes.traits ?? ['dpoll'],
    covariates: [],
    conditionOn: [],
    test: 'LRT' as const,
    chunkGflop,
  };
  const prepared = await prepare({ ...request, ...changes }, CONTEXT);
  const groups = [];
  for (const [group, { file, chunkMarkers }] of prepared.groups.entries()) {
    const state = `${name}-${group}-state`;
    await storage.putFile(state, file);
    const parts = [];
    for (const range of chunksOf(prepared.markers, chunkMarkers)) {
      const part = `${name}-${group}-${range.first}`;
      await testMarkers({ ...inputs, kept, state, range, file: join(folder, part) }, CONTEXT);
      await storage.putFile(part, join(folder, part));
      // An upgrade after the first two chunks.
      if (older.length > 0 && parts.length < 2) await writeWithout(part, older);
      parts.push({ ...range, key: part });
    }
    if (older.length > 0) await writeWithout(state, older);
    groups.push({ state, parts });
  }
  expect(groups.flatMap(({ parts }) => parts).length > 0).toBe(chunkGflop < 1);
  return [...prepared.outputs, ...(await finish({ ...inputs, kept, renames: [], groups }, CONTEXT))];
}

type Changes = Partial<Parameters<typeof prepare>[0]> & { traits: string[] };
const SAME_BYTES = '%s: every file of every trait is the same byte by byte, in chunks and in one piece';

// The traits are observed on different individuals, so each forms its own group.
test.each<[string, Changes]>([
  ['SCORE with dominance', { test: 'SCORE', traits: ['dpoll'], fixed: 0, dominance: true }],
])(SAME_BYTES, expectSameBytes);
test.each<[string, Changes]>([
  ['LRT', { test: 'LRT', traits: ['EarHT', 'dpoll'] }],
  ['WALD with a covariate', { test: 'WALD', traits: ['EarHT', 'dpoll'], covariates: [{ name: 'EarDia' }] }],
])(SAME_BYTES, { tags: 'whole' }, expectSameBytes);

async function expectSameBytes(name: string, changes: Changes): Promise<void> {
  const whole = await run(`${changes.test}-whole`, 400, changes);
  const chunked = await run(`${changes.test}-chunked`, 0.01, changes);
  expect(whole.map(({ trait, error }) => [trait, error])).toEqual(changes.traits.map((trait) => [trait, null]));
  for (const [k, one] of whole.entries()) {
    const other = chunked[k];
    expect(other?.trait).toBe(one.trait);
    expect(other?.result?.summary).toEqual(one.result?.summary);
    expect(other?.result?.chromosomes).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    for (const [kind, path] of Object.entries(one.result?.files ?? {})) {
      const bytes = await readFile(path);
      expect(bytes.length, kind).toBeGreaterThan(100);
      const otherPath = other?.result?.files[kind as keyof typeof other.result.files] ?? '';
      expect(bytes.equals(await readFile(otherPath)), kind).toBe(true);
    }
  }
}

test('chunks tested before an upgrade, without the arrays that came with it, are tested again', {
  tags: 'whole',
}, async () => {
  const [whole] = await run('before', 400, {});
  const added = ['atBound', 'domEffect', 'domSe', 'domP', 'dominance', 'ownKinship'];
  const [upgraded] = await run('upgraded', 0.01, {}, added);
  expect(upgraded?.error).toBeNull();
  expect(upgraded?.result?.summary).toEqual(whole?.result?.summary);
  const csv = (output: GwasTraitOutput | undefined) => readFile(output?.result?.files.csv ?? '', 'utf8');
  expect(await csv(upgraded)).toBe(await csv(whole));
});

test('the summary is that of the table', async () => {
  const [output] = await run('summary', 400, {});
  const { summary, files } = output?.result ?? expect.fail('no result');
  const [header, ...lines] = (await readFile(files.csv, 'utf8')).trimEnd().split('\n');
  expect(header).toBe('chr,pos,id,A1,A2,freqA2,n,LRT,h2,p,neg_log10_p,effect,effect_se,q,pve,at_bound');
  const rows = lines.map((line) => line.split(','));
  const p = rows.map((row) => Number(row[9]));
  expect(lines).toHaveLength(summary.m);
  const best = rows[p.indexOf(Math.min(...p))];
  expect(summary.top).toEqual({ chr: best?.[0], pos: Number(best?.[1]), id: best?.[2], p: Math.min(...p) });
  expect(summary.at_bound).toBe(rows.filter((row) => row[15] === '1').length);
  expect(summary.hits).toBe(p.filter((value) => value <= summary.bonferroni).length);
  const qq = JSON.parse(await readFile(files.qq, 'utf8'));
  expect(qq.points[0][1]).toBeCloseTo(-Math.log10(Math.min(...p)), 12);
  expect((await readFile(files.plot)).length).toBe(12 * summary.m);
});
