import { type DividedKinship, prepareWithoutGroup } from '@heterosis/statgen/association/leave-group-out';
import { nullHeritability } from '@heterosis/statgen/association/null-heritability';
import type { LargestShares } from '@heterosis/statgen/association/permutation-scan';
import { prepareGwas } from '@heterosis/statgen/association/prepare-gwas';
import {
  createDominanceTester,
  DOMINANCE_ARRAYS,
  type DominanceColumns,
  emptyDominanceColumns,
} from '@heterosis/statgen/association/test-dominance';
import {
  createMarkerTester,
  emptyTestColumns,
  type GwasColumns,
  MARKER_FILTERED,
  TEST_ARRAYS,
} from '@heterosis/statgen/association/test-markers';
import { createKinshipAccumulator, type KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type MarkerRange, markerRanges, packedRanges } from '../inputs/open-panel.ts';
import { panelKinship, panelSelection } from '../inputs/panel-kinship.ts';
import { chromosomeGroups } from './chromosome-groups.ts';
import { withoutDecomposition } from './gwas-in-marker-space.ts';
import { GWAS_DEFAULTS, type GwasInput, type GwasState, type StoredPanelTests } from './gwas-state.ts';
import { permutationsFrom, scanPermutations } from './scan-permutations.ts';

/** What a state needs of tests that were made at once. */
export type MadeTests = Pick<GwasState, 'm' | 'model' | 'panelTests' | 'permutations' | 'stepwise'>;

/**
 * Tests each marker with the kinship (n × n) of the markers on the other chromosomes. The kinship of all markers is
 * computed once; `test` then decomposes, for each chromosome, what is left of it. The panel is read three times.
 *
 * @throws AnalysisError `gwas/chromosomes-left-out`
 */
export async function testsByChromosome(
  input: GwasInput,
  individuals: Int32Array,
  context: AnalysisContext,
): Promise<{ test(covariates: Matrix, traits: readonly Float64Array[]): Promise<MadeTests> }> {
  const { panel, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate, fixed = GWAS_DEFAULTS.fixed } = input;
  const filter = { maf, callRate };
  const selection = { ...panelSelection(panel.samples.length, individuals), filter };
  const found = await panelKinship({ panel, methods: ['standardized'], ...filter, individuals }, context);
  const { scan } = found;
  const whole = dividedOf(found);
  const groups = await chromosomeGroups(panel, scan.kept);
  const tests = [...(input.tests ?? [input.test])];
  /** Null models of all markers; their decomposition, n × n, is dropped. */
  const nullOf = (covariates: Matrix, traits: readonly Float64Array[]) => {
    const full = prepareGwas({ kinship: whole.kinship, traits, principalComponents: fixed, covariates });
    const heritabilities = full.traits.map((model) =>
      Object.fromEntries(tests.map((test) => [test, nullHeritability(full, model, test)])),
    );
    return { model: withoutDecomposition(full), heritabilities };
  };
  return {
    async test(covariates, traits) {
      const { model, heritabilities } = nullOf(covariates, traits);
      const stored: StoredPanelTests = {
        tests,
        status: new Uint8Array(scan.readCount).fill(MARKER_FILTERED),
        frequencyA2: scan.frequencyA2,
        callRate: scan.callRate,
        traits: traits.map(() => emptyTestColumns(scan.readCount, tests)),
        heritabilities,
        dominance: input.dominance === true ? traits.map(() => emptyDominanceColumns(scan.readCount)) : null,
      };
      let shares: LargestShares[] = [];
      let order = 0;
      for (const [group, runs] of groups.entries()) {
        const report = (): void => reportProgress(context, 'test', group, groups.length);
        report();
        const ranges = runs.flatMap((run) =>
          markerRanges(run.count).map(({ first, count }): MarkerRange => ({ first: run.first + first, count })),
        );
        const methods = ['standardized'] as const;
        const accumulator = createKinshipAccumulator({ ...selection, methods, withMarkerColumns: false });
        for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
          accumulator.add(packed, count, dosages);
          report();
        }
        const own = dividedOf(accumulator.finish());
        const state = prepareWithoutGroup(own, { whole, full: model, traits, covariates });
        const tester = createMarkerTester(state, { ...selection, tests });
        const dominance = stored.dominance === null ? null : createDominanceTester(state, selection);
        for await (const { first, count, packed, dosages } of packedRanges(panel, ranges)) {
          storeBlock(stored, first, {
            columns: tester.test(packed, count, dosages),
            dominance: dominance?.test(packed, count, dosages) ?? null,
          });
          report();
        }
        shares = await scanPermutations(input, { state, individuals }, ranges, quietly(context, report), shares);
        order = state.contrastEigenvalues.length;
      }
      reportProgress(context, 'test', groups.length, groups.length);
      const permutations = permutationsFrom(input, shares, { n: model.n, order });
      return { m: scan.keptCount, model, panelTests: stored, permutations, stepwise: null };
    },
  };
}

/** Progress within a chromosome counts as that of the chromosome. */
const quietly = (context: AnalysisContext, report: () => void): AnalysisContext => ({ ...context, onProgress: report });

function dividedOf({ kernels, divisors }: KinshipResult): DividedKinship {
  const { standardized: kinship } = kernels;
  const { standardized: divisor } = divisors;
  if (kinship === undefined || divisor === undefined) throw new TypeError('the standardized kinship was not computed');
  return { kinship, divisor };
}

/** Writes the results of a block among those of all markers. */
function storeBlock(
  stored: StoredPanelTests,
  first: number,
  { columns, dominance }: { columns: GwasColumns; dominance: DominanceColumns[] | null },
): void {
  stored.status.set(columns.status, first);
  for (const [t, byTest] of columns.traits.entries()) {
    for (const test of stored.tests) {
      const [made, into] = [byTest[test], stored.traits[t][test]];
      if (made === undefined || into === undefined) throw new TypeError(`the test ${test} was not made`);
      for (const name of TEST_ARRAYS) into[name].set(made[name], first);
    }
  }
  for (const [t, made] of (dominance ?? []).entries()) {
    for (const name of DOMINANCE_ARRAYS) stored.dominance?.[t][name].set(made[name], first);
  }
}
