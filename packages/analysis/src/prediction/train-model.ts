import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel, MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import {
  createMarkerEffectAccumulator,
  type MarkerEffects,
} from '@heterosis/statgen/genomic-prediction/marker-effects';
import type { MarkerScan } from '@heterosis/statgen/genotypes/marker-scan';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import type { Heritability } from '@heterosis/statgen/mixed-model/heritability';
import { addToErrors, packErrors } from '@heterosis/statgen/mixed-model/whitening';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { describeError } from '../describe-error.ts';
import type { Engine } from '../engine/engine-task.ts';
import type { EnginePlan } from '../engine/plan-engine.ts';
import type { NameMatching } from '../inputs/align-phenotype.ts';
import type { AlignedCovariate, CovariateChoice } from '../inputs/covariates.ts';
import { markerRanges, readRange } from '../inputs/open-panel.ts';
import type { AlignedErrors, ErrorInput } from '../inputs/value-errors.ts';
import type { PolyploidDescent } from '../pedigree/polyploid-model.ts';
import { chooseEngine, type EngineInput, estimateModel } from './choose-engine.ts';
import { fitInMarkerSpace, type SharedMarkers, type TraitFigures } from './fit-in-marker-space.ts';
import { createTraitFitter, type TraitVariances } from './fit-trait.ts';
import { type FixedMarker, withFixedMarkers } from './fixed-markers/fixed-markers.ts';
import type { KinshipSource, MarkerVariances } from './kinship-source.ts';
import { fitTogether, requireTogether } from './multi-trait.ts';
import { kinshipSource } from './own-kinship.ts';
import { pruneToFit } from './prune-to-fit.ts';
import {
  type FittedErrors,
  MODEL_VERSION,
  type ModelMarkers,
  type ModelSettings,
  type MultiTraitFigures,
  type TrainedModel,
  type TrainedTrait,
  type TraitVariance,
} from './trained-model.ts';
import { fixedEffectFigures, requireEnough, type TrainingTrait, trainingData } from './training-data.ts';

export interface TrainInput extends NameMatching, PolyploidDescent, EngineInput, ErrorInput {
  panel: GenotypePanel;
  phenotype: PhenotypeTable;
  traits: readonly string[];
  dominance?: boolean;
  kinship?: 'vanraden1' | 'standardized';
  /** Smallest minor allele frequency, 0.05 unless told; computed on all genotyped individuals. */
  maf?: number;
  /** Smallest call rate of a marker, 0.9 unless told. */
  callRate?: number;
  /** Cap on the search for variance components with dominance, in seconds. */
  optimizeSeconds?: number | null;
  /** Columns of the phenotype as fixed effects; see `requireCovariates`. */
  covariates?: readonly (string | CovariateChoice)[];
  /** Principal components of the kinship of all genotyped individuals as fixed effects. */
  principalComponents?: number;
  /** A kinship in place of that of the markers: GBLUP of the individuals in both, without marker effects. */
  kinshipTable?: KinshipTable;
  /** Single-step prediction: relationships by pedigree and markers in place of those of the markers. */
  pedigree?: PedigreeTable;
  /** Markers fitted as fixed effects beside the kinship; see `withFixedMarkers`. */
  fixedMarkers?: readonly FixedMarker[];
  /** Fits the traits together, with genetic and residual covariances between them. */
  multiTrait?: boolean;
  /** Factors of a factor-analytic G of traits together; unstructured unless told. */
  geneticFactors?: number;
}

/** Defaults of training and evaluation. */
const TRAINING_DEFAULTS: ModelSettings = {
  dominance: false,
  kinship: 'vanraden1',
  maf: 0.05,
  callRate: 0.9,
  optimizeSeconds: null,
  covariates: [],
  principalComponents: 0,
};

/** Settings with their defaults filled in. */
export function modelSettings(input: Partial<ModelSettings>): ModelSettings {
  const given = Object.entries(input).filter(([name, value]) => name in TRAINING_DEFAULTS && value !== undefined);
  return { ...TRAINING_DEFAULTS, ...Object.fromEntries(given) };
}

/** The kernels a model with these settings needs. */
export function kernelMethods(settings: ModelSettings): ('vanraden1' | 'standardized' | 'dominance')[] {
  return settings.dominance ? [settings.kinship, 'dominance'] : [settings.kinship];
}

/**
 * Trains RR-BLUP on one or several traits: markers are filtered and missing calls set to the marker mean once, on all
 * genotyped individuals; traits share their kinships as {@link traitsByKinship} says. A trait that cannot be fitted
 * carries its reason and does not stop the others.
 *
 * @throws AnalysisError when the names or traits do not fit; StatgenError `no-markers-left`
 */
export async function trainModel(input: TrainInput, context: AnalysisContext): Promise<TrainedModel> {
  return await trainPrepared(input, await prepareTraining(input, context), context);
}

/** How a model is computed, and from which markers of its panel. */
export interface ChosenEngine {
  engine: { name: Engine; reason: string };
  /** Places of the markers left after pruning; null for all. */
  places: Int32Array | null;
}

/** What is settled before anything is fitted. */
export interface PreparedTraining {
  settings: ModelSettings;
  traits: TrainingTrait[];
  covariates: AlignedCovariate[];
  /** With the markers that are left after pruning. */
  panel: GenotypePanel;
  source: KinshipSource;
  chosen: ChosenEngine;
}

/**
 * Matches names, and chooses how to compute, unless that is chosen already.
 *
 * @throws as `trainModel`, before the fits
 */
export async function prepareTraining(
  input: TrainInput,
  context: AnalysisContext,
  chosen?: ChosenEngine,
): Promise<PreparedTraining> {
  const settings = modelSettings(input);
  setComputeThreads(context.threads);
  reportProgress(context, 'match', 0, 1);
  const sourceOf = (of: GenotypePanel) => kinshipSource(of, input, kernelMethods(settings), settings);
  const found = sourceOf(input.panel);
  const { individuals } = found;
  const data = trainingData(individuals, input.phenotype, input.traits, settings, input);
  const { traits } = data;
  const covariates = [...data.covariates, ...(input.fixedMarkers ?? [])];
  if (input.multiTrait === true) requireTogether(traits, settings, input);
  if (chosen !== undefined) {
    const panel =
      chosen.places === null ? input.panel : subsetPanel(input.panel, { samples: null, markers: chosen.places });
    return { settings, traits, covariates, panel, source: sourceOf(panel), chosen };
  }
  const task = { ...input, settings, traits, individuals, source: found };
  const { panel, plan, places } = await pruneToFit(
    input.panel,
    (fitting) => chooseEngine('train', { ...task, panel: fitting }, context),
    context,
  );
  const source = panel === input.panel ? found : sourceOf(panel);
  const engine = { name: plan.engine, reason: plan.reason };
  return { settings, traits, covariates, panel, source, chosen: { engine, places } };
}

/** Fits what {@link prepareTraining} has settled; `shared` is what the equations of markers have already. */
export async function trainPrepared(
  input: TrainInput,
  prepared: PreparedTraining,
  context: AnalysisContext,
  shared: SharedMarkers = {},
): Promise<TrainedModel> {
  const model = await fitPrepared(input, prepared, context, shared);
  return input.fixedMarkers === undefined ? model : withFixedMarkers(model, input.fixedMarkers);
}

async function fitPrepared(
  input: TrainInput,
  prepared: PreparedTraining,
  context: AnalysisContext,
  shared: SharedMarkers,
): Promise<TrainedModel> {
  const { settings, traits: aligned, covariates, panel, source, chosen } = prepared;
  const model = (scan: MarkerScan, traits: TrainedTrait[]): TrainedModel => ({
    format: 'heterosis-model',
    version: MODEL_VERSION,
    settings,
    markers: keptMarkers(panel.markers, scan, ploidyOf(panel)),
    individuals: source.individuals,
    kinshipFrom: source.from,
    engine: chosen.engine,
    ...(source.singleStep === undefined ? {} : { singleStep: source.singleStep() }),
    markersRead: input.panel.markers.id.length,
    imputedCalls: scan.imputedCalls,
    traits,
  });
  if (chosen.engine.name === 'markers') {
    const { scan, traits } = await fitInMarkerSpace(panel, aligned, covariates, settings, context, shared);
    return model(
      scan,
      traits.map(({ trait, found, error }) =>
        found === null
          ? { name: trait.column.name, unit: trait.column.unit, error, fit: null }
          : trainedTrait(trait, covariates, found.figures, found.effects),
      ),
    );
  }
  const trained = new Map<TrainingTrait, TrainedTrait>();
  let scan: MarkerScan | null = null;
  let multiTrait: MultiTraitFigures | undefined;
  for (const { traits, frequenciesOf } of traitsByKinship(aligned, settings, ploidyOf(panel))) {
    const kinship = await source.kernels(frequenciesOf, context);
    const { multiTrait: isTogether, geneticFactors } = input;
    const choice = geneticFactors === undefined ? {} : { geneticFactors };
    const together =
      isTogether === true ? fitTogether({ kinship, settings, covariates, traits, ...choice }, context) : null;
    if (together !== null) multiTrait = together.figures;
    const fits =
      together?.variances.map((variances) => ({ variances, error: null })) ??
      fitOneByOne({ kinship, settings, covariates, traits }, context);
    reportProgress(context, 'fit', traits.length, traits.length);
    const variances = fits.flatMap((fit) => (fit.variances === null ? [] : [fit.variances]));
    const { onMarkers } = source;
    const effects =
      onMarkers === null
        ? variances.map(({ mean }): MarkerEffects => ({ intercept: mean, additive: new Float64Array(0) }))
        : await markerEffects(
            panel,
            { ...kinship, ...frequenciesOf },
            settings,
            variances.map((found) => onMarkers(found)),
            context,
          );
    let next = 0;
    // Together, errors are known relative to each other only, and the model has them once.
    const described = (trait: TrainingTrait) => (together === null ? trait : { ...trait, errors: null });
    for (const [t, { variances: found, error }] of fits.entries()) {
      const { name, unit } = traits[t].column;
      trained.set(
        traits[t],
        found === null
          ? { name, unit, error, fit: null }
          : trainedTrait(described(traits[t]), covariates, found, effects[next++]),
      );
    }
    // Filters and missing calls rest on all genotyped individuals: the same for every trait.
    ({ scan } = kinship);
  }
  if (scan === null) throw new RangeError('no trait was asked for');
  const all = model(
    scan,
    aligned.flatMap((trait) => trained.get(trait) ?? []),
  );
  return multiTrait === undefined ? all : { ...all, multiTrait };
}

function fitOneByOne(
  {
    kinship,
    settings,
    covariates,
    traits,
  }: {
    kinship: KinshipResult;
    settings: ModelSettings;
    covariates: readonly AlignedCovariate[];
    traits: readonly TrainingTrait[];
  },
  context: AnalysisContext,
): { variances: TraitVariances | null; error: TrainedTrait['error'] }[] {
  const fitTrait = createTraitFitter(kinship, settings, covariates);
  return traits.map((trait, t) => {
    reportProgress(context, 'fit', t, traits.length);
    return tryFit(() => {
      requireEnough(trait, covariates, settings);
      return fitTrait(trait.values, trait.errors);
    });
  });
}

/**
 * What a training takes on this machine, from names and phenotypes alone.
 *
 * @throws AnalysisError `analysis/does-not-fit`, and as `trainModel` when names or traits do not fit
 */
export async function estimateTraining(input: TrainInput, context: AnalysisContext): Promise<EnginePlan> {
  const settings = modelSettings(input);
  const source = kinshipSource(input.panel, input, kernelMethods(settings), settings);
  const { individuals } = source;
  const { traits } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  if (input.multiTrait === true) requireTogether(traits, settings, input);
  return await estimateModel('train', { ...input, settings, traits, individuals, source }, context);
}

/** Traits that share their kinships. */
export interface KinshipGroup {
  traits: TrainingTrait[];
  /** With dominance: the individuals observed, whose allele frequencies count. */
  frequenciesOf: { frequenciesOf?: Int32Array };
}

/**
 * Which traits share their kinships. In an additive model p only centres and scales, which changes no prediction: all
 * traits share one kinship, that of all genotyped individuals. With dominance p decides which part of a
 * heterozygote's deviation counts as additive, and the base population is the individuals observed, so that
 * candidates without phenotype change no variance. In polyploids it is all genotyped individuals, as in Endelman et
 * al. 2018.
 */
export function traitsByKinship(
  aligned: readonly TrainingTrait[],
  settings: ModelSettings,
  ploidy: number,
): KinshipGroup[] {
  if (!settings.dominance || ploidy > 2) return [{ traits: [...aligned], frequenciesOf: {} }];
  const observedIn = ({ values }: TrainingTrait): Int32Array =>
    Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  return [...Map.groupBy(aligned, (trait) => observedIn(trait).join()).values()].map((traits) => {
    const frequenciesOf = observedIn(traits[0]);
    return {
      traits,
      frequenciesOf: frequenciesOf.length === traits[0].values.length ? {} : { frequenciesOf },
    };
  });
}

function tryFit(fit: () => TraitVariances): { variances: TraitVariances | null; error: TrainedTrait['error'] } {
  try {
    return { variances: fit(), error: null };
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    return { variances: null, error: described };
  }
}

async function markerEffects(
  panel: GenotypePanel,
  kinship: KinshipResult & { frequenciesOf?: Int32Array },
  settings: ModelSettings,
  variances: readonly MarkerVariances[],
  context: AnalysisContext,
): Promise<MarkerEffects[]> {
  if (variances.length === 0) return [];
  const additiveDivisor = kinship.divisors[settings.kinship] ?? Number.NaN;
  const dominanceDivisor = kinship.divisors.dominance ?? Number.NaN;
  const accumulator = createMarkerEffectAccumulator({
    panelSize: panel.samples.length,
    method: settings.kinship,
    kept: kinship.scan.kept,
    ...(kinship.frequenciesOf === undefined ? {} : { frequenciesOf: kinship.frequenciesOf }),
    traits: variances.map(({ mean, weights, additive, dominance, structure }) => ({
      weights,
      ...(structure === null
        ? { mean, additiveScale: additive / additiveDivisor }
        : {
            mean: mean - structure.shift,
            additiveWeights: weights.map((value, i) => additive * value + structure.weights[i]),
            additiveScale: 1 / additiveDivisor,
          }),
      ...(dominance === null ? {} : { dominanceScale: dominance / dominanceDivisor }),
    })),
  });
  const ranges = markerRanges(panel.markers.id.length);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'predict', block, ranges.length);
    const { packed, dosages } = await readRange(panel, { first, count });
    accumulator.add(packed, count, dosages);
  }
  reportProgress(context, 'predict', ranges.length, ranges.length);
  return accumulator.finish();
}

/** A trait with what was fitted and the effects of its markers. */
export function trainedTrait(
  trait: TrainingTrait,
  covariates: readonly AlignedCovariate[],
  variances: TraitFigures & Partial<Pick<TraitVariances, 'residualLines'>>,
  effects: MarkerEffects,
): TrainedTrait {
  const { additive, dominance, residual, heritability } = variances;
  return {
    name: trait.column.name,
    unit: trait.column.unit,
    error: null,
    fit: {
      n: variances.n,
      m: effects.additive.length,
      intercept: effects.intercept,
      additive: effects.additive,
      dominance: effects.dominance ?? null,
      frequencyA2: effects.frequencyA2 ?? null,
      fixedEffects: fixedEffectFigures(variances.fixed, covariates),
      design: Array.from({ length: variances.x.columns - 1 }, (_, k) =>
        variances.x.data.slice((k + 1) * variances.n, (k + 2) * variances.n),
      ),
      withoutCovariate: trait.withoutCovariate,
      variance: { additive, dominance, residual, ...heritabilityFigures(heritability) },
      H2: heritability.H2,
      logLikelihood: variances.logLikelihood,
      iterations: variances.iterations,
      converged: variances.converged,
      atBoundary: variances.atBoundary,
      seconds: variances.seconds,
      gebv: variances.gebv,
      reliability: variances.reliability,
      pev: variances.pev,
      genotypic: variances.genotypic,
      observed: trait.values,
      ...(trait.errors === null ? {} : { errors: fittedErrors(trait, trait.errors, variances.residualLines ?? null) }),
    },
  };
}

/** R of the individuals observed. */
function fittedErrors(
  { values }: TrainingTrait,
  errors: AlignedErrors,
  lines: TraitVariances['residualLines'],
): FittedErrors {
  const observed = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  return {
    from: errors.from,
    residual_lines:
      lines === null ? null : { value: lines.value, standard_error: lines.standardError, at_bound: lines.atBound },
    covariance: packErrors(addToErrors(errors.among(observed), lines?.value ?? 0)),
  };
}

/** With the field names of the API. */
function heritabilityFigures({
  h2,
  kinshipPve,
  dominancePve,
  standardErrors,
}: Heritability): Omit<TraitVariance, 'additive' | 'dominance' | 'residual'> {
  if (standardErrors === null)
    return { h2, kinship_pve: kinshipPve, dominance_pve: dominancePve, standard_errors: null };
  const { kinshipPve: kinshipPveError, dominancePve: dominancePveError, ...others } = standardErrors;
  return {
    h2,
    kinship_pve: kinshipPve,
    dominance_pve: dominancePve,
    standard_errors: { ...others, kinship_pve: kinshipPveError, dominance_pve: dominancePveError },
  };
}

/** The markers of a panel that a scan kept. */
export function keptMarkers(markers: MarkerTable, scan: MarkerScan, ploidy: number): ModelMarkers {
  const kept = Array.from(scan.kept.keys()).filter((j) => scan.kept[j] === 1);
  const atEquilibrium = (p: number): number => ((4 * (ploidy - 1)) / ploidy) * p * (1 - p);
  return {
    ...(ploidy === 2 ? {} : { ploidy }),
    id: kept.map((j) => markers.id[j]),
    chromosome: kept.map((j) => markers.chromosome[j]),
    positionBp: Float64Array.from(kept, (j) => markers.positionBp[j]),
    a1: kept.map((j) => markers.a1[j]),
    a2: kept.map((j) => markers.a2[j]),
    freqA2: Float64Array.from(kept, (j) => scan.frequencyA2[j]),
    heterozygosity: Float64Array.from(kept, (j) =>
      ploidy === 2 ? scan.heterozygosity[j] : atEquilibrium(scan.frequencyA2[j]),
    ),
  };
}
