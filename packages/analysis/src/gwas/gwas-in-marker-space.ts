import type { GwasNull } from '@heterosis/statgen/association/prepare-gwas';
import type { DominanceColumns } from '@heterosis/statgen/association/test-dominance';
import {
  type AssociationTest,
  type GwasColumns as BlockColumns,
  MARKER_COLLINEAR,
  MARKER_FILTERED,
  MARKER_TESTED,
  type TestColumns,
} from '@heterosis/statgen/association/test-markers';
import { createMarkerEquations } from '@heterosis/statgen/marker-space/marker-equations';
import { type GroupNull, testPanelMarkers } from '@heterosis/statgen/marker-space/test-panel-markers';
import type { Heritability } from '@heterosis/statgen/mixed-model/heritability';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import type { EngineTask } from '../engine/engine-task.ts';
import { measureRates, usableMemoryMb } from '../engine/machine-rates.ts';
import { type EnginePlan, type Machine, planEngine } from '../engine/plan-engine.ts';
import { planWithPruning, withFewer } from '../engine/plan-with-pruning.ts';
import { wholeShare } from '../engine/whole-share.ts';
import { panelMarkers } from '../inputs/panel-markers.ts';
import type { AlignedErrors } from '../inputs/value-errors.ts';
import { errorNeedsOf } from '../prediction/choose-engine.ts';
import { chromosomeGroups, groupsOfKept } from './chromosome-groups.ts';
import { GWAS_DEFAULTS, type GwasInput, type GwasTests, type StoredPanelTests } from './gwas-state.ts';
import { markerSpaceModels } from './marker-space-models.ts';

/** A group of traits; `chromosomes` that are left out one by one, otherwise 0. */
export interface GwasSizes {
  individuals: Int32Array;
  traits: number;
  chromosomes: number;
  /** Of the values; null where one variance is estimated for all. */
  errors: AlignedErrors | null;
}

/**
 * How the tests are computed.
 *
 * @param kinshipMarkers of the panel, where the kinship is that of fewer
 * @throws AnalysisError `analysis/does-not-fit`, `gwas/chromosomes-left-out`
 */
export async function chooseGwasEngine(
  input: GwasInput,
  sizes: GwasSizes,
  context: Pick<AnalysisContext, 'threads'>,
  kinshipMarkers?: number,
): Promise<EnginePlan> {
  const task = await gwasTask(input, sizes);
  return planEngine(kinshipMarkers === undefined ? task : withFewer(task, kinshipMarkers), machineOf(input, context));
}

/**
 * The same before a run that prunes the markers of a kinship which does not fit, with the seconds of this machine.
 *
 * @throws AnalysisError `analysis/does-not-fit`, `gwas/chromosomes-left-out`
 */
export async function estimateTests(
  input: GwasInput,
  sizes: GwasSizes,
  context: Pick<AnalysisContext, 'threads'>,
): Promise<EnginePlan> {
  return planWithPruning(await gwasTask(input, sizes), { ...machineOf(input, context), rates: measureRates() });
}

const machineOf = ({ memoryMb }: GwasInput, { threads }: Pick<AnalysisContext, 'threads'>): Machine => ({
  threads,
  memoryMb: memoryMb ?? usableMemoryMb(),
});

async function gwasTask(input: GwasInput, sizes: GwasSizes): Promise<EngineTask> {
  const { individuals, traits, chromosomes, errors } = sizes;
  const known = errorNeedsOf([errors], input.engine);
  const needsIndividuals =
    input.dominance === true
      ? 'The test of dominance needs the kinship of the individuals.'
      : input.kinship !== undefined
        ? 'The kinship of a file is that of individuals.'
        : input.kinshipPrecision === 'single'
          ? 'The kinship in single precision is that of individuals.'
          : input.permutations !== undefined || input.stepwise !== undefined
            ? 'Permutations and multi-locus models need the decomposition of the kinship of the individuals.'
            : (known.needsIndividuals?.reason ??
              (input.engine === 'individuals' ? 'The kinship of the individuals was asked for.' : null));
  if (chromosomes > 0 && (input.kinship !== undefined || input.kinshipPrecision === 'single')) {
    throw new AnalysisError(
      'gwas/chromosomes-left-out',
      `Chromosomes are left out of the kinship of the markers, in double precision. ${needsIndividuals}`,
      'Test with the kinship of all chromosomes, or let the kinship be computed from the markers.',
    );
  }
  if (chromosomes > 0 && input.stepwise !== undefined) {
    throw new AnalysisError(
      'gwas/stepwise-by-chromosome',
      'A multi-locus model has one kinship, that of all chromosomes.',
      'Search it without leaving chromosomes out.',
    );
  }
  return {
    analysis: 'gwas',
    individuals: input.panel.samples.length,
    observed: individuals.length,
    markers: input.panel.markerCount,
    traits,
    groups: 1,
    needsIndividuals,
    needsMarkers:
      input.engine === 'markers' && needsIndividuals === null ? 'The equations of the markers were asked for.' : null,
    ...known.task,
    chromosomesLeftOut: chromosomes,
    wholeShare: await wholeShare(input.panel),
    furtherRotations: input.stepwise ?? 0,
    permutations: input.permutations ?? 0,
    isFitted: (input.tests ?? [input.test]).some((test) => test !== 'SCORE'),
  };
}

/** Reads the markers once; `test` then gives what a state needs for some traits. */
export async function markersTested(
  input: GwasInput,
  individuals: Int32Array,
  context: AnalysisContext,
): Promise<GwasTests> {
  const { panel, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate, fixed = GWAS_DEFAULTS.fixed } = input;
  const markers = await panelMarkers({ panel, maf, callRate, individuals }, context);
  const everybody = individuals.length === panel.samples.length ? null : individuals;
  const { kept } = markers.scan;
  const chromosomes = input.leaveOneChromosomeOut === true ? await chromosomeGroups(panel, kept) : null;
  const groups = chromosomes === null ? null : groupsOfKept(chromosomes, kept);
  const tests = [...(input.tests ?? [input.test])];
  const n = individuals.length;
  const modelOf = markerSpaceModels(markers, { individuals: everybody, n, fixed, axesFromProducts: false }, context);
  return {
    async test(columns, traits, errors) {
      const { uses, ...model } = modelOf(columns, errors);
      const found = testPanelMarkers({
        equations: createMarkerEquations({ ...model, traits }),
        centredSquares: model.markers.centredSquares,
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
        model: withoutDecomposition({
          n,
          fixed: model.x.columns,
          covariates: uses,
          axes: new Float64Array(0),
          traits: found.nulls,
        }),
        panelTests: {
          tests,
          status,
          frequencyA2: markers.scan.frequencyA2,
          callRate: markers.scan.callRate,
          traits: found.traits.map((byTest) => spread(byTest, kept)),
          heritabilities: found.heritabilities,
          dominance: null,
        },
        chromosomesLeftOut:
          chromosomes?.map(({ chromosome, markers: count }, g) => ({
            ...{ chromosome, markers: count },
            traits: (found.groups[g] ?? []).map((model) => heritabilitiesOf(model, tests)),
          })) ?? null,
        permutations: null,
        stepwise: null,
      };
    },
  };
}

/** h² of a group's null model as each test uses it, and the share of the phenotypic variance that follows from it. */
function heritabilitiesOf(
  model: GroupNull,
  tests: readonly AssociationTest[],
): { [test in AssociationTest]?: Pick<Heritability, 'h2' | 'kinshipPve'> } {
  return Object.fromEntries(
    tests.map((test) => {
      const h2 = test === 'SCORE' ? model.scoreH2 : test === 'WALD' ? model.remlH2 : model.mlH2;
      const genetic = h2 * model.meanEigenvalue;
      return [test, { h2, kinshipPve: genetic / (genetic + 1 - h2) }];
    }),
  );
}

/** A null model without the decomposition that block-wise tests need. */
export function withoutDecomposition(
  model: Pick<GwasNull, 'n' | 'fixed' | 'covariates' | 'axes'> & {
    traits: readonly Omit<GwasNull['traits'][number], 'rotated'>[];
  },
): GwasNull {
  const nothing = new Float64Array(0);
  const { n, fixed, covariates, axes, traits } = model;
  return {
    ...{ n, fixed, covariates, axes },
    ...{ basis: nothing, contrastEigenvalues: nothing, fixedKernel: nothing, crossKernel: nothing },
    traits: traits.map((one) => ({ ...one, rotated: nothing })),
  };
}

/** Columns of the markers kept, by all markers of the panel; NaN for the others. */
export function spread(
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
): { columns: BlockColumns; dominance: DominanceColumns[] | null } {
  const end = first + count;
  const dominance =
    stored.dominance?.map(({ effect, se, p }) => ({
      effect: effect.subarray(first, end),
      se: se.subarray(first, end),
      p: p.subarray(first, end),
    })) ?? null;
  const columns = {
    count,
    status: stored.status.subarray(first, end),
    frequencyA2: stored.frequencyA2.subarray(first, end),
    callRate: stored.callRate.subarray(first, end),
    traits: stored.traits.map((byTest) => {
      const chosen: { [test in AssociationTest]?: TestColumns } = {};
      for (const test of tests) {
        const made = byTest[test];
        if (made === undefined) throw new TypeError(`the test ${test} was not made`);
        chosen[test] = {
          statistic: made.statistic.subarray(first, end),
          beta: made.beta.subarray(first, end),
          se: made.se.subarray(first, end),
          p: made.p.subarray(first, end),
          negLog10P: made.negLog10P.subarray(first, end),
          h2: made.h2.subarray(first, end),
          atBound: made.atBound.subarray(first, end),
        };
      }
      return chosen;
    }),
  };
  return { columns, dominance };
}
