import { subsetBlocks } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import {
  emptyTestColumns,
  MARKER_COLLINEAR,
  MARKER_FILTERED,
  MARKER_TESTED,
  type TestColumns,
} from '@heterosis/statgen/association/test-markers';
import { createMarkerEquations } from '@heterosis/statgen/marker-space/marker-equations';
import { createPackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import { createOtherMarkerTester } from '@heterosis/statgen/marker-space/test-other-markers';
import { type AnalysisContext, type AnalysisError, reportProgress } from '../context.ts';
import type { EnginePlan } from '../engine/plan-engine.ts';
import { isPrunable, PRUNING_LIMITS } from '../engine/plan-with-pruning.ts';
import { pruneMarkers, USUAL_WINDOWS } from '../genotype/prune-markers.ts';
import { markerRanges, packedRanges } from '../inputs/open-panel.ts';
import { panelKinship, panelSelection } from '../inputs/panel-kinship.ts';
import { panelMarkers } from '../inputs/panel-markers.ts';
import { chooseGwasEngine, type GwasSizes, spread, withoutDecomposition } from './gwas-in-marker-space.ts';
import { GWAS_DEFAULTS, type GwasInput, type GwasTests, type KinshipPruning } from './gwas-state.ts';
import { markerSpaceModels, weighedBy } from './marker-space-models.ts';

/** How tests are computed, and the markers of the kinship by their places in the panel; null for all. */
interface FittingKinship {
  plan: EnginePlan;
  places: Int32Array | null;
  pruned?: KinshipPruning;
}

/**
 * Plans tests. Where more individuals than memory holds as n × n have more markers than it holds as m × m, the markers
 * of the kinship are pruned by LD until their equations fit, and the reason of the plan says so. All are tested.
 *
 * @throws AnalysisError `analysis/does-not-fit`, `gwas/chromosomes-left-out`
 */
export async function pruneKinshipToFit(
  input: GwasInput,
  sizes: GwasSizes,
  context: AnalysisContext,
): Promise<FittingKinship> {
  let refused: AnalysisError;
  try {
    return { plan: await chooseGwasEngine(input, sizes, context), places: null };
  } catch (error) {
    if (!isPrunable(error)) throw error;
    refused = error;
  }
  const { panel } = input;
  let places = Int32Array.from({ length: panel.markerCount }, (_, j) => j);
  for (const r2 of PRUNING_LIMITS) {
    const left = subsetBlocks(panel, { samples: null, markers: places });
    const { kept } = await pruneMarkers(left, { ...USUAL_WINDOWS, r2 }, context);
    places = places.filter((_, j) => kept[j] === 1);
    try {
      const plan = await chooseGwasEngine(input, sizes, context, places.length);
      const [some, all] = [places.length, panel.markerCount].map(groupedNumber);
      const pruned = `the equations of all ${all} markers do not fit into memory, so the kinship is that of the ${some} left by pruning by LD (r² > ${r2}), and all are tested`;
      const reason = `${pruned}; ${plan.reason}`;
      return { places, plan: { ...plan, reason }, pruned: { r2, markers: places.length } };
    } catch (error) {
      if (!isPrunable(error)) throw error;
      refused = error;
    }
  }
  throw refused;
}

/**
 * Tests all markers with the kinship of some of them. The panel is read three times.
 *
 * @param places of the markers of the kinship in the panel, ascending
 */
export async function testsWithPrunedKinship(
  input: GwasInput,
  individuals: Int32Array,
  places: Int32Array,
  context: AnalysisContext,
): Promise<GwasTests> {
  const { panel, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate, fixed = GWAS_DEFAULTS.fixed } = input;
  const filter = { maf, callRate };
  const { scan } = await panelKinship({ panel, methods: [], ...filter, individuals }, context);
  const ofKinship = subsetBlocks(panel, { samples: null, markers: places });
  const markers = await panelMarkers({ panel: ofKinship, ...filter, individuals }, context);
  const everybody = individuals.length === panel.samples.length ? null : individuals;
  const tests = [...(input.tests ?? [input.test])];
  const n = individuals.length;
  const modelOf = markerSpaceModels(markers, { individuals: everybody, n, fixed, axesFromProducts: true }, context);
  return {
    async test(columns, traits, errors) {
      const { uses, ...model } = modelOf(columns, errors);
      const { x } = model;
      const equations = createMarkerEquations({ ...model, traits });
      const tester = createOtherMarkerTester({ ...model, traits, equations, tests });
      const status = Uint8Array.from(scan.kept, (kept) => (kept === 1 ? MARKER_TESTED : MARKER_FILTERED));
      const results = traits.map(() => emptyTestColumns(scan.keptCount, tests));
      const ranges = markerRanges(panel.markerCount);
      let [first, written, block] = [0, 0, 0];
      for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
        reportProgress(context, 'fit', block++, ranges.length);
        const kept = scan.kept.subarray(first, first + count);
        if (kept.includes(1)) {
          const builder = createPackedMarkers(panelSelection(panel.samples.length, individuals), filter);
          builder.add(packed, count, dosages);
          const found = tester.test(weighedBy(builder.finish(), everybody, x, errors));
          let place = 0;
          for (let j = 0; j < count; j++) {
            if (kept[j] === 1 && found.collinear[place++] === 1) status[first + j] = MARKER_COLLINEAR;
          }
          for (const [t, byTest] of found.traits.entries()) {
            for (const test of tests) copyColumns(byTest[test], results[t]?.[test], written);
          }
          written += found.collinear.length;
        }
        first += count;
      }
      reportProgress(context, 'fit', ranges.length, ranges.length);
      return {
        m: scan.keptCount,
        model: withoutDecomposition({
          ...{ n, fixed: x.columns, covariates: uses },
          ...{ axes: new Float64Array(0), traits: tester.nulls },
        }),
        panelTests: {
          ...{ tests, status, frequencyA2: scan.frequencyA2, callRate: scan.callRate },
          traits: results.map((byTest) => spread(byTest, scan.kept)),
          heritabilities: tester.heritabilities,
          dominance: null,
        },
        chromosomesLeftOut: null,
        permutations: null,
        stepwise: null,
      };
    },
  };
}

function copyColumns(from: TestColumns | undefined, to: TestColumns | undefined, at: number): void {
  if (from === undefined || to === undefined) return;
  for (const column of ['statistic', 'beta', 'se', 'p', 'negLog10P', 'h2', 'atBound'] as const) {
    to[column].set(from[column], at);
  }
}
