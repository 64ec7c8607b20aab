import { memorySource } from '@heterosis/file-formats/byte-source';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CONTEXT,
  type ImportedPanel,
  importText,
  maizePhenotype,
  maizeVcf,
  referenceRows,
  swapAlleles,
} from '../maize.test-data.ts';
import {
  columnsToBytes,
  concatColumns,
  type GwasColumns,
  gwasStateFromBytes,
  gwasStateToBytes,
  readColumns,
} from './gwas-columns.ts';
import { gwasCsv, runGwas, summarized } from './gwas-in-one-piece.test-data.ts';
import { streamGwasCsv } from './gwas-table.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { countEffectiveTests, summaryOf } from './summarize-gwas.ts';
import { testGwasMarkers } from './test-gwas-markers.ts';

const TESTS = ['SCORE', 'WALD', 'LRT'] as const;
let maize: ImportedPanel;

beforeAll(async () => {
  maize = await importText(maizeVcf());
});
afterAll(async () => {
  await maize[Symbol.asyncDispose]();
});

async function columnsOf(input: Partial<Parameters<typeof runGwas>[0]>): Promise<GwasColumns> {
  const [run] = await runGwas(
    { panel: maize.blocks, phenotype: await maizePhenotype(), traits: ['EarHT'], test: 'LRT', ...input },
    CONTEXT,
  );
  return run!.result!.columns;
}

test.each(TESTS)('%s equals the exact reference up to the single precision of its kinship', async (kind) => {
  for (const fixed of [0, 3]) {
    const columns = await columnsOf({ test: kind, fixed });
    const reference = new Map(referenceRows(`gwas/exact_EarHT_pc${fixed}.csv.gz`).map((row) => [row['id'], row]));
    expect(columns.p).toHaveLength(reference.size);
    let largest = 0;
    for (const [j, index] of columns.markerIndex.entries()) {
      const row = reference.get(maize.panel.markers.id[index]);
      const p = { SCORE: row!['p_score'], WALD: row!['p_wald'], LRT: row!['p_lrt'] }[kind];
      largest = Math.max(largest, Math.abs(columns.negLog10P[j]! + Math.log10(Number(p))));
    }
    // The reference uses gaston's kinship, accumulated in single precision (entries differ by 7e-6).
    expect(largest).toBeLessThan(3e-5);
  }
});

test('with the kinship in single precision, as the reference has it, every test of every trait equals it', async () => {
  for (const trait of ['EarHT', 'dpoll', 'EarDia']) {
    for (const [kind, column] of [
      ['SCORE', 'p_score'],
      ['WALD', 'p_wald'],
      ['LRT', 'p_lrt'],
    ] as const) {
      const columns = await columnsOf({ traits: [trait], test: kind, fixed: 3, kinshipPrecision: 'single' });
      const reference = new Map(referenceRows(`gwas/exact_${trait}_pc3.csv.gz`).map((row) => [row['id'], row]));
      expect(columns.p).toHaveLength(reference.size);
      for (const [j, index] of columns.markerIndex.entries()) {
        const p = Number(reference.get(maize.panel.markers.id[index])?.[column]);
        expect(Math.abs(columns.negLog10P[j]! + Math.log10(p))).toBeLessThan(1e-6);
      }
    }
  }
});

test('states and results survive their bytes, and ranges tested apart give the same as one run', async () => {
  const { states, errors } = await prepareGwas(
    { panel: maize.blocks, phenotype: await maizePhenotype(), traits: ['dpoll'], test: 'WALD' },
    CONTEXT,
  );
  expect(errors).toEqual([]);
  const bytes = gwasStateToBytes(states[0]!);
  // A buffer from a file or a message may start at any offset.
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const state = gwasStateFromBytes(shifted.subarray(3));
  expect(state).toEqual(states[0]);
  const whole = await columnsOf({ traits: ['dpoll'], test: 'WALD' });
  const parts: GwasColumns[] = [];
  for (const range of [
    { first: 0, count: 1000 },
    { first: 1000, count: 1 },
    { first: 1001, count: state.markersRead - 1001 },
  ]) {
    const columns = await testGwasMarkers(state, maize.blocks, range, CONTEXT);
    parts.push(await readColumns(memorySource(columnsToBytes(columns)), 0));
  }
  const joined = concatColumns(parts);
  expect(joined.markerIndex).toEqual(whole.markerIndex);
  for (const [j, p] of whole.negLog10P.entries()) expect(Math.abs(joined.negLog10P[j]! - p)).toBeLessThan(1e-9);
  expect(() => gwasStateFromBytes(Uint8Array.of(1, 2, 3))).toThrow('no record');
});

test('statistics do not change when the trait is rescaled or REF and ALT change places', async () => {
  const phenotype = await maizePhenotype();
  const scaled = { ...phenotype, values: phenotype.values.map((column) => column.map((value) => 1000 * value + 7)) };
  await using swapped = await importText(swapAlleles(maizeVcf()));
  for (const kind of TESTS) {
    const plain = await columnsOf({ test: kind, fixed: 2 });
    const rescaled = await columnsOf({ test: kind, fixed: 2, phenotype: scaled });
    const turned = await columnsOf({ test: kind, fixed: 2, panel: swapped.blocks });
    for (let j = 0; j < plain.p.length; j++) {
      const scale = Math.max(1, Math.abs(plain.statistic[j]!));
      expect(Math.abs(rescaled.statistic[j]! - plain.statistic[j]!) / scale).toBeLessThan(1e-9);
      expect(Math.abs(turned.statistic[j]! - plain.statistic[j]!) / scale).toBeLessThan(1e-9);
      expect(Math.abs(turned.freqA2[j]! - (1 - plain.freqA2[j]!))).toBeLessThan(1e-12);
      expect(Math.abs(rescaled.beta[j]! / plain.beta[j]! / 1000 - 1)).toBeLessThan(1e-6);
      expect(Math.abs(-turned.beta[j]! / plain.beta[j]! - 1)).toBeLessThan(1e-6);
    }
  }
});

test('several traits come back in the order asked for, each as if it were alone', async () => {
  const phenotype = await maizePhenotype();
  const runs = await runGwas({ panel: maize.blocks, phenotype, traits: ['EarDia', 'EarHT'], test: 'SCORE' }, CONTEXT);
  expect(runs.map(({ trait }) => trait)).toEqual(['EarDia', 'EarHT']);
  const alone = await columnsOf({ traits: ['EarHT'], test: 'SCORE' });
  expect(runs[1]!.result!.columns).toEqual(alone);
});

test('the summary names thresholds, inflation, hits and the top marker', async () => {
  const { states } = await prepareGwas(
    { panel: maize.blocks, phenotype: await maizePhenotype(), traits: ['EarHT'], test: 'LRT' },
    CONTEXT,
  );
  const state = states[0]!;
  const columns = await columnsOf({});
  const effective = await countEffectiveTests(state, maize.blocks, CONTEXT);
  const summary = summaryOf(summarized(columns), state, effective);
  expect(summary).toMatchObject({ trait: 'EarHT', n: 279, m: 2368 });
  expect(summary.bonferroni).toBeCloseTo(0.05 / 2368, 12);
  expect(summary.lambda).toBeGreaterThan(0.9);
  expect(summary.lambda).toBeLessThan(1.1);
  expect(summary.effectiveTests!.blockMarkers).toBeNull();
  expect(summary.effectiveTests).toBe(effective);
  const smallest = columns.p.indexOf(Math.min(...columns.p));
  expect(summary.top).toBe(columns.markerIndex[smallest]);
  expect(summary.hits).toBe(columns.p.filter((p) => p <= 0.05 / 2368).length);
});

test.each([
  ['SCORE', 'chr,pos,id,A1,A2,freqA2,n,score,h2,p,neg_log10_p,effect,effect_se,q,pve,at_bound'],
  ['WALD', 'chr,pos,id,A1,A2,freqA2,n,beta,sd,h2,p,neg_log10_p,effect,effect_se,q,pve,at_bound'],
  ['LRT', 'chr,pos,id,A1,A2,freqA2,n,LRT,h2,p,neg_log10_p,effect,effect_se,q,pve,at_bound'],
] as const)('the table of %s has its own columns', async (kind, header) => {
  const columns = await columnsOf({ test: kind });
  const lines = gwasCsv(columns, maize.panel.markers).trimEnd().split('\n');
  expect(lines[0]).toBe(header);
  expect(lines).toHaveLength(2368 + 1);
});

test('the table written while the tests run is that of all results together, and so is the summary', async () => {
  const phenotype = await maizePhenotype();
  const input = { panel: maize.blocks, phenotype, traits: ['EarHT'] };
  for (const [kind, dominance] of [
    ['SCORE', false],
    ['WALD', false],
    ['LRT', false],
    ['WALD', true],
  ] as const) {
    const { states } = await prepareGwas({ ...input, test: 'LRT', dominance }, CONTEXT);
    const stream = streamGwasCsv(states[0]!, [kind], maize.blocks, CONTEXT);
    const chunks: Uint8Array[] = [];
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) chunks.push(next.value);
    const columns = await columnsOf({ test: kind, dominance });
    expect(Buffer.concat(chunks).toString()).toBe(gwasCsv(columns, maize.panel.markers));
    const { tests, ...others } = summarized(columns);
    const { qOf, ...figures } = tests;
    expect(next.value).toMatchObject([{ ...others, tests: figures }]);
    expect(next.value[0].tests.qOf(columns.statistic[5]!)).toBe(qOf(columns.statistic[5]!));
  }
});

test('limits that no marker passes are refused with the reason', async () => {
  const [run] = await runGwas(
    { panel: maize.blocks, phenotype: await maizePhenotype(), traits: ['EarHT'], test: 'LRT', maf: 0.5, callRate: 1 },
    CONTEXT,
  );
  expect(run!.error).toMatchObject({ code: 'analysis/no-markers-left' });
  expect(run!.error!.action).toContain('Lower the limits');
});

test('with each chromosome left out, λ of the three tests agrees within 2 %', { tags: 'whole' }, async () => {
  const lambdas: number[] = [];
  for (const test of TESTS) {
    const columns = await columnsOf({ traits: ['dpoll'], test, leaveOneChromosomeOut: true, engine: 'individuals' });
    lambdas.push(summarized(columns).tests.lambdaGc);
  }
  expect(Math.max(...lambdas) / Math.min(...lambdas)).toBeLessThan(1.02);
});
