import { AnalysisError } from '@heterosis/analysis/context';
import { expect, test } from 'vitest';
import { planRun, type RunSizes } from './run-needs.ts';

const MACHINE = { threads: 4, memoryMb: 16_000 };

const sizesOf = (individuals: number, markers: number, missingShare = 0): RunSizes => ({
  genotype: {
    row_count: individuals,
    column_count: markers,
    meta: { panel: { markersAfterQc: markers, missingShare, phased: false, fractional: null } },
  },
  phenotype: { row_count: individuals },
  traits: 1,
});

test('a model of too many individuals and markers prunes them, and a GWAS those of its kinship', () => {
  const sizes = sizesOf(100_000, 60_000);
  const { engine, estimate, pruning } = planRun('train', sizes, MACHINE);
  expect(engine).toBe('markers');
  expect(estimate.memoryMb).toBeLessThanOrEqual(MACHINE.memoryMb);
  expect(pruning?.markers).toBe(60_000);
  expect(pruning?.atMost).toBeLessThan(40_000);
  expect(planRun('evaluate', sizes, MACHINE).pruning?.atMost).toBeLessThan(pruning?.atMost ?? 0);
  expect(planRun('train', { ...sizes, dominance: true }, MACHINE).pruning?.atMost).toBeLessThan(20_000);
  expect(planRun('train', sizesOf(100_000, 10_000), MACHINE).pruning).toBeUndefined();
  const gwas = planRun('gwas', sizes, MACHINE);
  expect(gwas.estimate.memoryMb).toBeLessThanOrEqual(MACHINE.memoryMb);
  expect(gwas.pruning?.markers).toBe(60_000);
  expect(gwas.pruning?.atMost).toBeLessThan(pruning?.atMost ?? 0);
  expect(() => planRun('gwas', { ...sizes, loco: true }, MACHINE)).toThrow(AnalysisError);
  expect(() => planRun('gwas', { ...sizes, dominance: true }, MACHINE)).toThrow(AnalysisError);
  expect(() => planRun('train', { ...sizes, singleStep: true }, MACHINE)).toThrow(AnalysisError);
  for (const analysis of ['train', 'evaluate', 'gwas'] as const) {
    const known = planRun(analysis, { ...sizes, weights: 'se' }, MACHINE);
    expect(known.engine).toBe('markers');
    // Dosages divided by errors are multiplied in double precision.
    expect(known.pruning?.atMost).toBeLessThan(planRun(analysis, sizes, MACHINE).pruning?.atMost ?? 0);
    const lines = { ...sizes, weights: 'se' as const, residualLines: true };
    expect(() => planRun(analysis, lines, MACHINE)).toThrow(AnalysisError);
    expect(() => planRun(analysis, { ...sizes, weights: 'full' }, MACHINE)).toThrow(AnalysisError);
  }
});

test('whole dosages are priced in single precision, missing calls in double', () => {
  const [whole, missing] = [0, 0.01].map((share) => planRun('train', sizesOf(50_000, 5000, share), MACHINE).estimate);
  expect(whole?.operations.single).toBe(50_000 * 5000 * 5000);
  expect(missing?.operations.single).toBe(0);
  expect(missing?.memoryMb).toBeGreaterThan(whole?.memoryMb ?? 0);
  const some = planRun('train', { ...sizesOf(1500, 20_000, 0.01), wholeShare: 0.5 }, MACHINE).estimate;
  expect(some.operations.single).toBe(0.5 * 1500 * 1500 * 20_000);
});

test('permutations cost what they were measured to take, and more where chromosomes are left out', () => {
  // Maize (281 × 3,093): 0.70 s of the processor without, 2.7 s with 1,000 permutations, 7.8 s with LOCO besides.
  const maize = { ...sizesOf(281, 3093, 0.01), isFitted: true };
  const operationsOf = (more: Partial<RunSizes>) => planRun('gwas', { ...maize, ...more }, MACHINE).estimate.operations;
  const none = operationsOf({}).double;
  const score = operationsOf({ permutations: 1000, isFitted: false }).double;
  const fitted = operationsOf({ permutations: 1000 }).double;
  const loco = operationsOf({ permutations: 1000, loco: true }).double;
  expect(score - none).toBeGreaterThan(20 * none);
  expect(fitted - none).toBeGreaterThan(2 * (score - none));
  expect(loco - none).toBeGreaterThan(2 * (fitted - none));
  expect((operationsOf({ permutations: 500 }).double - none) / (fitted - none)).toBeCloseTo(0.5, 2);
});

test('the memory of permutations is that which was measured, and not much more', () => {
  const asked = { isFitted: true, permutations: 1000, loco: true };
  for (const [individuals, markers, measuredMb] of [
    [281, 3093, 181],
    [1814, 10_074, 425],
  ] as const) {
    const { memoryMb } = planRun('gwas', { ...sizesOf(individuals, markers, 0.01), ...asked }, MACHINE).estimate;
    expect(memoryMb / measuredMb).toBeGreaterThan(0.95);
    expect(memoryMb / measuredMb).toBeLessThan(1.25);
  }
});
