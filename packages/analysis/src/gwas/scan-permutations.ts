import {
  createPermutationScan,
  type LargestShares,
  permutationThreshold,
} from '@heterosis/statgen/association/permutation-scan';
import type { GwasNull } from '@heterosis/statgen/association/prepare-gwas';
import type { AssociationTest } from '@heterosis/statgen/association/test-markers';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type MarkerRange, packedRanges } from '../inputs/open-panel.ts';
import { panelSelection } from '../inputs/panel-kinship.ts';
import { GWAS_DEFAULTS, type GwasInput, type GwasPermutations } from './gwas-state.ts';

type ScanInput = Pick<GwasInput, 'panel' | 'permutations' | 'test' | 'tests' | 'maf' | 'callRate'>;

/**
 * Permutes the traits of a null model over the markers of some ranges, see `createPermutationScan`.
 *
 * @param before shares of other markers with the same permutations; the larger ones count
 * @returns one entry a trait; empty where no permutations are asked for
 */
export async function scanPermutations(
  input: ScanInput,
  model: { state: GwasNull; individuals: Int32Array },
  ranges: readonly MarkerRange[],
  context: AnalysisContext,
  before: readonly LargestShares[] = [],
): Promise<LargestShares[]> {
  const { panel, permutations, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate } = input;
  if (permutations === undefined) return [];
  const scan = createPermutationScan(model.state, {
    ...panelSelection(panel.samples.length, model.individuals),
    filter: { maf, callRate },
    tests: testsOf(input),
    permutations: permutations.count,
    seed: permutations.seed,
  });
  let block = 0;
  reportProgress(context, 'test', block, ranges.length);
  for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
    scan.add(packed, count, dosages);
    reportProgress(context, 'test', ++block, ranges.length);
  }
  return scan.finish().map((shares, t) => larger(shares, before[t]));
}

/** The thresholds that follow from the shares; null where no permutations are asked for. */
export function permutationsFrom(
  { permutations }: ScanInput,
  shares: readonly LargestShares[],
  sizes: { n: number; order: number },
): GwasPermutations | null {
  if (permutations === undefined) return null;
  const thresholds = shares.map((ofTrait) => {
    const found: { [test in AssociationTest]?: number } = {};
    for (const [test, ofTest] of sharesOf(ofTrait)) found[test] = permutationThreshold(ofTest, test, sizes);
    return found;
  });
  return { ...permutations, thresholds };
}

const testsOf = ({ test, tests }: ScanInput): AssociationTest[] => [...(tests ?? [test])];

const sharesOf = (shares: LargestShares): [AssociationTest, Float64Array][] =>
  (['SCORE', 'WALD', 'LRT'] as const).flatMap((test): [AssociationTest, Float64Array][] => {
    const ofTest = shares[test];
    return ofTest === undefined ? [] : [[test, ofTest]];
  });

function larger(shares: LargestShares, before: LargestShares = {}): LargestShares {
  const both: LargestShares = {};
  for (const [test, ofTest] of sharesOf(shares)) {
    const other = before[test];
    both[test] = other === undefined ? ofTest : ofTest.map((share, b) => Math.max(share, other[b]));
  }
  return both;
}
