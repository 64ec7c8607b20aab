import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { mostFactors } from '@heterosis/statgen/multi-trait/covariance-shapes';
import type { Estimate, TraitsFit } from '@heterosis/statgen/multi-trait/fit-traits';
import { fitMultiTrait, MOST_TRAITS, MOST_TRAITS_OF_FACTORS } from '@heterosis/statgen/multi-trait/multi-trait-blup';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { usableMemoryMb } from '../engine/machine-rates.ts';
import { gigabytes } from '../engine/plan-engine.ts';
import type { AlignedCovariate } from '../inputs/covariates.ts';
import type { EngineInput } from './choose-engine.ts';
import { observedCount, type TraitVariances } from './fit-trait.ts';
import type { ModelSettings, MultiTraitFigures } from './trained-model.ts';
import { fixedModelOf, requireEnough, type TrainingTrait } from './training-data.ts';

/** Steps of a search that progress is measured by. */
const USUAL_STEPS = 30;
/** With at most this many individuals, threads cost more than they save. */
const ONE_THREAD_UP_TO = 1000;

/** How traits that are fitted together vary together. */
export interface TogetherChoice {
  /** Factors of a factor-analytic G; unstructured unless told. */
  geneticFactors?: number;
}

/** Threads for the matrices of so many individuals. */
export const threadsFor = (individuals: number, { threads }: AnalysisContext): number =>
  individuals <= ONE_THREAD_UP_TO ? 1 : threads;

/**
 * Refuses what several traits together cannot be.
 *
 * @throws AnalysisError `models/multi-trait`, `analysis/does-not-fit`
 */
export function requireTogether(
  traits: readonly TrainingTrait[],
  settings: ModelSettings,
  { engine, memoryMb, geneticFactors }: EngineInput & TogetherChoice,
): void {
  const refuse = (message: string, action: string): never => {
    throw new AnalysisError('models/multi-trait', message, action);
  };
  const count = traits.length;
  const most = geneticFactors === undefined ? MOST_TRAITS : MOST_TRAITS_OF_FACTORS;
  if (count < 2 || count > most) {
    refuse(
      `Two to ${most} traits are fitted together, and ${count} ${count === 1 ? 'was' : 'were'} asked for.`,
      count > most && count <= MOST_TRAITS_OF_FACTORS
        ? 'Name fewer traits, or let a few factors make their genetic covariances (--genetic-factors 1).'
        : 'Name the traits whose records shall serve each other.',
    );
  }
  if (geneticFactors !== undefined && geneticFactors > mostFactors(count)) {
    refuse(
      `${count} traits have fewer covariances than ${geneticFactors} ${geneticFactors === 1 ? 'factor has' : 'factors have'} loadings.`,
      mostFactors(count) === 0 ? 'Leave out the factors.' : `Choose at most ${mostFactors(count)}.`,
    );
  }
  if (settings.dominance) {
    refuse(
      'Several traits together have additive effects only.',
      'Leave out the dominance, or fit the traits one by one.',
    );
  }
  if (engine === 'markers') {
    refuse(
      'Several traits together are computed from the kinship of the individuals.',
      'Leave out the choice of markers.',
    );
  }
  if (traits.some(({ errors }) => errors?.residualLines === true)) {
    refuse(
      'Several traits together estimate their residual covariances, and know errors only relative to each other.',
      'Leave out the residual lines.',
    );
  }
  const all = traits[0].values.length;
  const lines = traits[0].values.filter((_, i) => traits.some(({ values }) => !Number.isNaN(values[i]))).length;
  const missing = traits.reduce((sum, { values }) => sum + lines - observedCount(values), 0);
  requireRoomTogether({ all, lines, missing, traits: traits.length }, { memoryMb });
}

/**
 * Refuses traits whose fit together does not fit into memory.
 *
 * @param more doubles that the caller needs besides
 * @throws AnalysisError `analysis/does-not-fit`
 */
export function requireRoomTogether(
  { all, lines, missing, traits }: { all: number; lines: number; missing: number; traits: number },
  { memoryMb, more = 0 }: { memoryMb?: number | undefined; more?: number },
): void {
  // Kinship, eigenvectors and scratch of LAPACK; B, its inverse, and eigenvectors at missing records.
  const neededMb = (8 * (2 * all ** 2 + 4 * lines ** 2 + 3 * missing ** 2 + 3 * missing * lines + more)) / 2 ** 20;
  const usableMb = memoryMb ?? usableMemoryMb();
  if (neededMb <= usableMb) return;
  throw new AnalysisError(
    'analysis/does-not-fit',
    `${lines} lines with ${missing} missing records of ${traits} traits need ${gigabytes(neededMb)} of memory, and this machine has ${gigabytes(usableMb)}.`,
    'Leave out lines or traits with few records, or use a machine with more memory.',
    { individuals: lines, missing, memory_mb: Math.round(neededMb), machine_mb: Math.round(usableMb) },
  );
}

/**
 * Fits several traits together; each trait is described as in a fit of it alone.
 *
 * @throws AnalysisError `analysis/too-few-individuals` and others of `requireEnough`; StatgenError of `fitMultiTrait`
 */
export function fitTogether(
  {
    kinship: { kernels },
    settings,
    covariates,
    traits,
    geneticFactors,
  }: {
    kinship: KinshipResult;
    settings: ModelSettings;
    covariates: readonly AlignedCovariate[];
    traits: readonly TrainingTrait[];
  } & TogetherChoice,
  context: AnalysisContext,
): { variances: TraitVariances[]; figures: MultiTraitFigures } {
  const started = performance.now();
  const kinship = kernels[settings.kinship];
  if (kinship === undefined) throw new TypeError(`the kinship ${settings.kinship} was not computed`);
  for (const trait of traits) requireEnough(trait, covariates, settings);
  const errorWeights = relativeErrors(traits);
  setComputeThreads(threadsFor(kinship.rows, context));
  const { fit, traits: parts } = fitMultiTrait({
    kinship,
    values: traits.map(({ values }) => values),
    fixed: fixedModelOf(covariates, kinship, settings),
    ...(errorWeights === null ? {} : { errorWeights }),
    ...(geneticFactors === undefined ? {} : { factors: geneticFactors }),
    onStep: (iteration) => reportProgress(context, 'fit', Math.min(iteration, USUAL_STEPS), USUAL_STEPS),
  });
  setComputeThreads(context.threads);
  const seconds = (performance.now() - started) / 1000;
  return {
    figures: multiTraitFigures(
      traits.map(({ column }) => column.name),
      fit,
      errorWeights,
    ),
    variances: parts.map(({ varianceAdditive, varianceResidual, ...part }) => ({
      ...part,
      additive: varianceAdditive,
      dominance: null,
      residual: varianceResidual,
      residualLines: null,
      logLikelihood: fit.contrastLogLikelihood,
      iterations: fit.iterations,
      converged: fit.isConverged,
      atBoundary: fit.atBoundary.map((side) => (side === 'genetic' ? 'genetic_covariance' : 'residual_covariance')),
      seconds,
      genotypic: null,
    })),
  };
}

/**
 * Relative error variances of the individuals where errors are known: the mean over its traits of the variance of its
 * value, divided by the mean variance of the trait. Null where none are known.
 */
export function relativeErrors(traits: readonly Pick<TrainingTrait, 'values' | 'errors'>[]): Float64Array | null {
  if (traits.every(({ errors }) => errors === null)) return null;
  const size = traits[0].values.length;
  const sums = new Float64Array(size);
  const counts = new Float64Array(size);
  for (const { values, errors } of traits) {
    const observed = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
    const known = errors?.among(observed) ?? null;
    const variances = Float64Array.from(observed, (_, k) =>
      known === null ? 1 : known instanceof Float64Array ? known[k] : known.data[k * (known.rows + 1)],
    );
    const mean = variances.reduce((sum, value) => sum + value, 0) / observed.length;
    for (const [k, i] of observed.entries()) {
      sums[i] += variances[k] / mean;
      counts[i]++;
    }
  }
  return sums.map((sum, i) => (counts[i] > 0 ? sum / counts[i] : 1));
}

/** Covariances, correlations and likelihood of a fit of several traits, as they are stored and told. */
export function multiTraitFigures(
  traits: string[],
  fit: TraitsFit,
  errorWeights: Float64Array | null,
): MultiTraitFigures {
  const estimates = (table: Estimate[][]) => table.map((row) => row.map(({ value, se }) => ({ value, se })));
  return {
    traits,
    genetic_covariance: fit.genetic,
    residual_covariance: fit.residual,
    genetic_covariance_se: fit.standardErrors?.genetic ?? null,
    residual_covariance_se: fit.standardErrors?.residual ?? null,
    genetic_correlation: estimates(fit.geneticCorrelation),
    residual_correlation: fit.residualCorrelation.map((row) =>
      row.map(({ value, se }) => ({ value: Number.isNaN(value) ? null : value, se })),
    ),
    information: 'average',
    log_likelihood: fit.logLikelihood,
    log_likelihood_contrasts: fit.contrastLogLikelihood,
    starts: fit.starts,
    iterations: fit.iterations,
    converged: fit.isConverged,
    at_boundary: fit.atBoundary,
    error_weights: errorWeights === null ? null : Array.from(errorWeights),
    ...(fit.factors === null ? {} : { factors: fit.factors }),
  };
}
