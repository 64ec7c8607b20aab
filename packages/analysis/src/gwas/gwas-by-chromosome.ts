import {
  type DividedKinship,
  prepareWithoutGroup,
  subtractGroup,
} from '@heterosis/statgen/association/leave-group-out';
import { nullHeritability } from '@heterosis/statgen/association/null-heritability';
import type { LargestStatistics } from '@heterosis/statgen/association/permutation/permutation-scan';
import { type GwasNull, type NullModel, prepareGwas } from '@heterosis/statgen/association/prepare-gwas';
import {
  createDominanceTester,
  DOMINANCE_ARRAYS,
  type DominanceColumns,
  emptyDominanceColumns,
} from '@heterosis/statgen/association/test-dominance';
import {
  type AssociationTest,
  createMarkerTester,
  emptyTestColumns,
  type GwasColumns,
  MARKER_FILTERED,
  TEST_ARRAYS,
} from '@heterosis/statgen/association/test-markers';
import { createKinshipAccumulator, type KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import type { ErrorCovariance } from '@heterosis/statgen/mixed-model/whitening';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type MarkerRange, markerRanges, packedRanges } from '../inputs/open-panel.ts';
import { panelKinship, panelSelection } from '../inputs/panel-kinship.ts';
import { type ChromosomeGroup, chromosomeGroups } from './chromosome-groups.ts';
import { withoutDecomposition } from './gwas-in-marker-space.ts';
import {
  GWAS_DEFAULTS,
  type GwasInput,
  type GwasTests,
  type LeftOutModel,
  type StoredPanelTests,
} from './gwas-state.ts';
import { permutationsFrom, scanPermutations } from './scan-permutations.ts';

/**
 * Tests each marker with the kinship (n × n) of the markers on the other chromosomes, in a null model of its own. The
 * kinship of all markers is computed once; `test` then decomposes, for each chromosome, what is left of it. Markers
 * without a chromosome are tested with the kinship of all, and are in that of no chromosome. The panel is read three
 * times.
 *
 * @throws AnalysisError `gwas/chromosomes-left-out`
 */
export async function testsByChromosome(
  input: GwasInput,
  individuals: Int32Array,
  context: AnalysisContext,
): Promise<GwasTests> {
  const { panel, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate, fixed = GWAS_DEFAULTS.fixed } = input;
  const filter = { maf, callRate };
  const selection = { ...panelSelection(panel.samples.length, individuals), filter };
  const found = await panelKinship({ panel, methods: ['standardized'], ...filter, individuals }, context);
  const { scan } = found;
  const all = dividedOf(found);
  const groups = await chromosomeGroups(panel, scan.kept);
  const tests = [...(input.tests ?? [input.test])];
  const kinshipOf = async (ranges: readonly MarkerRange[], report: () => void): Promise<DividedKinship> => {
    const methods = ['standardized'] as const;
    const accumulator = createKinshipAccumulator({ ...selection, methods, withMarkerColumns: false });
    for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
      accumulator.add(packed, count, dosages);
      report();
    }
    return dividedOf(accumulator.finish());
  };
  const nowhere = groups.filter(({ chromosome }) => chromosome === null).flatMap(rangesOf);
  const placed = nowhere.length === 0 ? all : withoutGroup(all, await kinshipOf(nowhere, () => undefined));
  /** The null model of all markers, and its decomposition, n × n, where markers are tested with it. */
  const nullOf = (covariates: Matrix, traits: readonly Float64Array[], errors?: ErrorCovariance) => {
    const full = prepareGwas({ kinship: all.kinship, traits, principalComponents: fixed, covariates, errors });
    return {
      model: withoutDecomposition(full),
      heritabilities: full.traits.map((model) => heritabilitiesOf(full, model, tests)),
      decomposed: nowhere.length > 0 ? full : null,
    };
  };
  return {
    async test(covariates, traits, errors) {
      const { model, heritabilities, decomposed: ofAll } = nullOf(covariates, traits, errors);
      let decomposed = ofAll;
      const stored: StoredPanelTests = {
        tests,
        status: new Uint8Array(scan.readCount).fill(MARKER_FILTERED),
        frequencyA2: scan.frequencyA2,
        callRate: scan.callRate,
        traits: traits.map(() => emptyTestColumns(scan.readCount, tests)),
        heritabilities,
        dominance: input.dominance === true ? traits.map(() => emptyDominanceColumns(scan.readCount)) : null,
      };
      const left: LeftOutModel[] = [];
      let largest: LargestStatistics[] = [];
      for (const [g, group] of groups.entries()) {
        const report = (): void => reportProgress(context, 'test', g, groups.length);
        report();
        const ranges = rangesOf(group);
        // The markers without a chromosome come first; then their decomposition is dropped.
        const state: GwasNull =
          decomposed ??
          prepareWithoutGroup(await kinshipOf(ranges, report), {
            ...{ whole: placed, full: model, traits, covariates, errors },
          });
        decomposed = null;
        const tester = createMarkerTester(state, { ...selection, tests });
        const dominance = stored.dominance === null ? null : createDominanceTester(state, selection);
        for await (const { first, count, packed, dosages } of packedRanges(panel, ranges)) {
          storeBlock(stored, first, {
            columns: tester.test(packed, count, dosages),
            dominance: dominance?.test(packed, count, dosages) ?? null,
          });
          report();
        }
        left.push({
          ...{ chromosome: group.chromosome, markers: group.markers },
          traits: state.traits.map((fitted) => heritabilitiesOf(state, fitted, tests)),
        });
        largest = await scanPermutations(input, { state, individuals }, ranges, quietly(context, report), largest);
      }
      reportProgress(context, 'test', groups.length, groups.length);
      return {
        m: scan.keptCount,
        model,
        panelTests: stored,
        chromosomesLeftOut: left,
        permutations: permutationsFrom(input, largest),
        stepwise: null,
      };
    },
  };
}

/** Blocks of the markers of a group. */
export const rangesOf = ({ runs }: ChromosomeGroup): MarkerRange[] =>
  runs.flatMap((run) => markerRanges(run.count).map(({ first, count }) => ({ first: run.first + first, count })));

function withoutGroup(all: DividedKinship, group: DividedKinship): DividedKinship {
  subtractGroup(all, group, group.kinship);
  return { kinship: group.kinship, divisor: all.divisor };
}

const heritabilitiesOf = (state: GwasNull, model: NullModel, tests: readonly AssociationTest[]) =>
  Object.fromEntries(tests.map((test) => [test, nullHeritability(state, model, test)]));

/** Progress within a chromosome counts as that of the chromosome. */
const quietly = (context: AnalysisContext, report: () => void): AnalysisContext => ({ ...context, onProgress: report });

/** The standardized kinship with its divisor. */
export function dividedOf({ kernels, divisors }: KinshipResult): DividedKinship {
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
