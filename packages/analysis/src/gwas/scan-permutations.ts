import {
  createPermutationScan,
  type LargestStatistics,
  permutationThreshold,
} from '@heterosis/statgen/association/permutation/permutation-scan';
import type { GwasNull } from '@heterosis/statgen/association/prepare-gwas';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type MarkerRange, packedRanges } from '../inputs/open-panel.ts';
import { panelSelection } from '../inputs/panel-kinship.ts';
import { GWAS_DEFAULTS, type GwasInput, type GwasPermutations } from './gwas-state.ts';

type ScanInput = Pick<GwasInput, 'panel' | 'permutations' | 'seed' | 'test' | 'tests' | 'maf' | 'callRate'>;

/**
 * Permutes the traits of a null model over the markers of some ranges, see `createPermutationScan`.
 *
 * @param before largest statistics among other markers with the same permutations
 * @returns one entry a trait; empty where no permutations are asked for
 */
export async function scanPermutations(
  input: ScanInput,
  model: { state: GwasNull; individuals: Int32Array },
  ranges: readonly MarkerRange[],
  context: AnalysisContext,
  before: readonly LargestStatistics[] = [],
): Promise<LargestStatistics[]> {
  const { panel, permutations, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate } = input;
  if (permutations === undefined) return [];
  const scan = createPermutationScan(model.state, {
    ...panelSelection(panel.samples.length, model.individuals),
    filter: { maf, callRate },
    tests: input.tests ?? [input.test],
    permutations,
    seed: input.seed ?? GWAS_DEFAULTS.seed,
    before,
  });
  let block = 0;
  reportProgress(context, 'test', block, ranges.length);
  for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
    scan.add(packed, count, dosages);
    reportProgress(context, 'test', ++block, ranges.length);
  }
  return scan.finish();
}

/** The thresholds that follow; null where no permutations are asked for. */
export function permutationsFrom(
  { permutations, seed = GWAS_DEFAULTS.seed }: ScanInput,
  largest: readonly LargestStatistics[],
): GwasPermutations | null {
  if (permutations === undefined) return null;
  const thresholds = largest.map((ofTrait): GwasPermutations['thresholds'][number] =>
    Object.fromEntries(Object.entries(ofTrait).map(([test, statistics]) => [test, permutationThreshold(statistics)])),
  );
  return { count: permutations, seed, thresholds };
}
