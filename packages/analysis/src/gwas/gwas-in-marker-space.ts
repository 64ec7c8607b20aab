import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { addCovariates } from '@heterosis/statgen/association/add-covariates';
import type { GwasNull } from '@heterosis/statgen/association/prepare-gwas';
import {
  type AssociationTest,
  type GwasColumns as BlockColumns,
  MARKER_COLLINEAR,
  MARKER_FILTERED,
  MARKER_TESTED,
  type TestColumns,
} from '@heterosis/statgen/association/test-markers';
import { createMatrix, type Matrix } from '@heterosis/statgen/linear-algebra';
import { crossProducts } from '@heterosis/statgen/marker-space/dosage-products';
import { markerSpaceComponents } from '@heterosis/statgen/marker-space/fit-marker-space';
import { createMarkerEquations, markerKinship } from '@heterosis/statgen/marker-space/marker-equations';
import { testPanelMarkers } from '@heterosis/statgen/marker-space/test-panel-markers';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { measureRates, usableMemoryMb } from '../engine/machine-rates.ts';
import { type EnginePlan, planEngine } from '../engine/plan-engine.ts';
import { panelMarkers } from '../inputs/panel-markers.ts';
import { GWAS_DEFAULTS, type GwasInput, type GwasState, type StoredPanelTests } from './gwas-state.ts';

/**
 * How the tests are computed.
 *
 * @throws AnalysisError `analysis/does-not-fit`, `gwas/chromosomes-left-out`
 */
export function chooseGwasEngine(
  input: GwasInput,
  { individuals, traits }: { individuals: Int32Array; traits: number },
  context: Pick<AnalysisContext, 'threads'>,
  measured = false,
): EnginePlan {
  const needsIndividuals =
    input.dominance === true
      ? 'The test of dominance needs the kinship of the individuals.'
      : input.kinship !== undefined
        ? 'The kinship of a file is that of individuals.'
        : input.kinshipPrecision === 'single'
          ? 'The kinship in single precision is that of individuals.'
          : input.engine === 'individuals'
            ? 'The kinship of the individuals was asked for.'
            : null;
  const leavesOut = input.leaveOneChromosomeOut === true;
  if (leavesOut && needsIndividuals !== null) {
    throw new AnalysisError(
      'gwas/chromosomes-left-out',
      `Chromosomes are left out in the equations of the markers. ${needsIndividuals}`,
      'Test with the kinship of all chromosomes, or without what needs the individuals.',
    );
  }
  return planEngine(
    {
      analysis: 'gwas',
      individuals: input.panel.samples.length,
      observed: individuals.length,
      markers: input.panel.markerCount,
      traits,
      groups: 1,
      needsIndividuals,
      needsMarkers: leavesOut
        ? 'Chromosomes are left out in the equations of the markers.'
        : input.engine === 'markers' && needsIndividuals === null
          ? 'The equations of the markers were asked for.'
          : null,
      isFitted: (input.tests ?? [input.test]).some((test) => test !== 'SCORE'),
    },
    {
      threads: context.threads,
      memoryMb: input.memoryMb ?? usableMemoryMb(),
      ...(measured ? { rates: measureRates() } : {}),
    },
  );
}

/** Reads the markers once; `test` then gives what a state needs for some traits. */
export async function markersTested(
  input: GwasInput,
  individuals: Int32Array,
  context: AnalysisContext,
): Promise<{
  test(covariates: Matrix, traits: readonly Float64Array[]): Pick<GwasState, 'm' | 'model' | 'panelTests'>;
}> {
  const { panel, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate, fixed = GWAS_DEFAULTS.fixed } = input;
  const markers = await panelMarkers({ panel, maf, callRate, individuals }, context);
  const everybody = individuals.length === panel.samples.length ? null : individuals;
  const products = crossProducts(markers, everybody, (done, total) => reportProgress(context, 'kinship', done, total));
  const { kept } = markers.scan;
  const groups = input.leaveOneChromosomeOut === true ? await chromosomesOf(panel, kept) : null;
  const kinship = markerKinship(markers, 'standardized');
  const components = markerSpaceComponents(markers, kinship, everybody, fixed);
  const tests = [...(input.tests ?? [input.test])];
  const n = individuals.length;
  return {
    test(columns, traits) {
      const withAxes = createMatrix(n, 1 + fixed);
      withAxes.data.fill(1, 0, n);
      if (components !== null) withAxes.data.set(components.axes.data, n);
      const { x, uses } = addCovariates(withAxes, columns);
      const equations = createMarkerEquations({ markers, kinship, individuals: everybody, products, x, traits });
      const found = testPanelMarkers({
        equations,
        centredSquares: markers.centredSquares,
        tests,
        groups,
        onProgress: (done, total) => reportProgress(context, 'fit', done, total),
      });
      const status = new Uint8Array(kept.length);
      let place = 0;
      for (let j = 0; j < kept.length; j++) {
        if (kept[j] === 0) status[j] = MARKER_FILTERED;
        else status[j] = found.collinear[place++] === 1 ? MARKER_COLLINEAR : MARKER_TESTED;
      }
      return {
        m: markers.m,
        model: nullModel(n, x.columns, uses, found.nulls),
        panelTests: {
          tests,
          status,
          frequencyA2: markers.scan.frequencyA2,
          callRate: markers.scan.callRate,
          traits: found.traits.map((byTest) => spread(byTest, kept)),
          heritabilities: found.heritabilities,
        },
      };
    },
  };
}

/** A null model without the decomposition that block-wise tests need. */
function nullModel(
  n: number,
  fixed: number,
  covariates: GwasNull['covariates'],
  nulls: readonly Omit<GwasNull['traits'][number], 'rotated'>[],
): GwasNull {
  const nothing = new Float64Array(0);
  return {
    n,
    fixed,
    basis: nothing,
    contrastEigenvalues: nothing,
    fixedKernel: nothing,
    crossKernel: nothing,
    axes: nothing,
    covariates,
    traits: nulls.map((model) => ({ ...model, rotated: nothing })),
  };
}

/** The chromosome of each marker kept, 0, 1, 2 … in the order of the panel. */
async function chromosomesOf(panel: PanelBlocks, kept: Uint8Array): Promise<Int32Array> {
  const numbers = new Map<string, number>();
  const groups: number[] = [];
  for (const { chromosome, first, count } of await panel.chromosomeRuns()) {
    const number = numbers.get(chromosome) ?? numbers.size;
    numbers.set(chromosome, number);
    for (let j = first; j < first + count; j++) if (kept[j] === 1) groups.push(number);
  }
  const present = [...new Set(groups)];
  if (present.length < 2) {
    throw new AnalysisError(
      'gwas/chromosomes-left-out',
      'All markers tested are on one chromosome, so that nothing is left without it.',
      'Test with the kinship of all markers.',
    );
  }
  const places = new Map(present.map((number, place) => [number, place]));
  return Int32Array.from(groups, (number) => places.get(number) ?? 0);
}

/** Columns of the markers kept, by all markers of the panel; NaN for the others. */
function spread(
  byTest: { [test in AssociationTest]?: TestColumns },
  kept: Uint8Array,
): { [test in AssociationTest]?: TestColumns } {
  const places = Int32Array.from(kept.keys()).filter((j) => kept[j] === 1);
  const numbers = (values: Float64Array): Float64Array => {
    const all = new Float64Array(kept.length).fill(Number.NaN);
    for (const [k, j] of places.entries()) all[j] = values[k];
    return all;
  };
  const spreadOne = (columns: TestColumns): TestColumns => {
    const atBound = new Uint8Array(kept.length);
    for (const [k, j] of places.entries()) atBound[j] = columns.atBound[k];
    return {
      statistic: numbers(columns.statistic),
      beta: numbers(columns.beta),
      se: numbers(columns.se),
      p: numbers(columns.p),
      negLog10P: numbers(columns.negLog10P),
      h2: numbers(columns.h2),
      atBound,
    };
  };
  return Object.fromEntries(Object.entries(byTest).map(([test, columns]) => [test, spreadOne(columns)])) as {
    [test in AssociationTest]?: TestColumns;
  };
}

/** Markers `first` … `first + count − 1` of stored tests. Throws TypeError for a test that was not made. */
export function blockOfTests(
  stored: StoredPanelTests,
  tests: readonly AssociationTest[],
  first: number,
  count: number,
): BlockColumns {
  const end = first + count;
  return {
    count,
    status: stored.status.subarray(first, end),
    frequencyA2: stored.frequencyA2.subarray(first, end),
    callRate: stored.callRate.subarray(first, end),
    traits: stored.traits.map((byTest) => {
      const chosen: { [test in AssociationTest]?: TestColumns } = {};
      for (const test of tests) {
        const columns = byTest[test];
        if (columns === undefined) throw new TypeError(`the test ${test} was not made`);
        chosen[test] = {
          statistic: columns.statistic.subarray(first, end),
          beta: columns.beta.subarray(first, end),
          se: columns.se.subarray(first, end),
          p: columns.p.subarray(first, end),
          negLog10P: columns.negLog10P.subarray(first, end),
          h2: columns.h2.subarray(first, end),
          atBound: columns.atBound.subarray(first, end),
        };
      }
      return chosen;
    }),
  };
}
