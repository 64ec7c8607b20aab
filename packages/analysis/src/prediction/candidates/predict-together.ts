import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { createMatrix, type Matrix, selectRowsAndColumns, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { traitsAt } from '@heterosis/statgen/multi-trait/fit-traits';
import { predictTraits, traitErrorCovariances } from '@heterosis/statgen/multi-trait/predict-traits';
import type { TraitPoint } from '@heterosis/statgen/multi-trait/trait-likelihood';
import { createTraitRecords, type TraitRecords } from '@heterosis/statgen/multi-trait/trait-records';
import { type AnalysisContext, AnalysisError } from '../../context.ts';
import { alignPhenotype } from '../../inputs/align-phenotype.ts';
import type { MarkerMatch } from '../../inputs/match-markers.ts';
import { threadsFor } from '../multi-trait.ts';
import type { MultiTraitFigures, TrainedModel, TraitFit } from '../trained-model.ts';
import { type KinshipParts, kinshipParts, type PanelIndividuals, trainingPanel } from './candidate-reliability.ts';

/** Records of individuals that are predicted, by trait of the model. */
export interface KnownRecords {
  /** A trait of the model each, by the individuals of the panel; NaN = not recorded. */
  values: Float64Array[];
  /** Individuals with a record. */
  individuals: number;
  /** Traits of the model that the table has. */
  traits: string[];
}

/** Values and reliabilities of all traits of the model by the individuals of the panel. */
export interface TogetherPrediction {
  gebv: Float64Array[];
  reliability: Float64Array[];
  pev: Float64Array[];
}

/**
 * Records of a phenotype table for the individuals of a panel; traits that the model lacks are passed over.
 *
 * @throws AnalysisError `predictions/known-records`, `match/nothing-in-common`, `analysis/categorical-trait`
 */
export function knownRecords(
  { multiTrait, settings }: TrainedModel,
  samples: readonly string[],
  table: PhenotypeTable,
): KnownRecords {
  if (multiTrait === undefined) {
    throw new AnalysisError(
      'predictions/known-records',
      'The model has one trait at a time, and records of one say nothing of another in it.',
      'Train with several traits together (--multi-trait), or leave out the known records.',
    );
  }
  if (settings.covariates.length > 0 || settings.principalComponents > 0) {
    throw new AnalysisError(
      'predictions/known-records',
      'The model has fixed effects beside the mean, which the known records would have to be freed from first.',
      'Train without covariates and principal components, or train again with the known records among the phenotypes.',
    );
  }
  const there = new Set(table.traits.map(({ name }) => name));
  const traits = multiTrait.traits.filter((name) => there.has(name));
  if (traits.length === 0) {
    throw new AnalysisError(
      'predictions/known-records',
      `The known records have none of the traits of the model: ${multiTrait.traits.join(', ')}.`,
      'Write the names of the traits as in the phenotype file of the training.',
    );
  }
  const found = new Map(alignPhenotype(samples, table, traits).map(({ values }, t) => [traits[t], values]));
  const values = multiTrait.traits.map((name) => found.get(name) ?? new Float64Array(samples.length).fill(Number.NaN));
  const individuals = samples.filter((_, i) => values.some((own) => !Number.isNaN(own[i]))).length;
  return { values, individuals, traits };
}

/** A model of several traits, the genotypes of its training, and individuals with what is known of them. */
interface Together {
  model: TrainedModel;
  figures: MultiTraitFigures;
  /** In the order of the traits of `figures`. */
  fits: readonly TraitFit[];
  training: GenotypePanel;
  panel: GenotypePanel;
  /** Markers of the model in the panel. */
  match: MarkerMatch;
  known: KnownRecords | null;
}

/**
 * BLUP and reliabilities of all traits of a model of several traits, for any individuals, from the genotypes of the
 * training: at the covariances of the model, from its records and those known of the individuals predicted, by which
 * the means are estimated again. A known record replaces that of the training.
 *
 * @throws AnalysisError `predictions/not-the-training-genotype`
 */
export async function predictTogether(input: Together, context: AnalysisContext): Promise<TogetherPrediction> {
  const { fits, panel } = input;
  const { parts, lines, records, point } = await pointOf(input, addedBy(input), context);
  const count = panel.samples.length;
  const result: TogetherPrediction = {
    gebv: fits.map(() => new Float64Array(count)),
    reliability: fits.map(() => new Float64Array(count)),
    pev: fits.map(() => new Float64Array(count)),
  };
  for await (const { first, across, own } of parts.chunks()) {
    const everyone = Int32Array.from({ length: own[0].length }, (_, i) => i);
    const predicted = predictTraits(records, point, selectRowsAndColumns(across[0], lines, everyone), own[0]);
    for (const t of fits.keys()) {
      const mean = point.coefficients[records.firstFixed[t]] * records.scales[t];
      result.gebv[t].set(
        predicted.values[t].map((value) => value + mean),
        first,
      );
      result.reliability[t].set(predicted.reliabilities[t], first);
      result.pev[t].set(predicted.errorVariances[t], first);
    }
  }
  return result;
}

/**
 * Covariance of the prediction errors of the breeding values of all individuals of the panel, k × k a trait.
 *
 * @throws AnalysisError `predictions/not-the-training-genotype`
 */
export async function togetherErrors(input: Together, context: AnalysisContext): Promise<Matrix[]> {
  const everyone = Int32Array.from(input.panel.samples.keys());
  const { parts, lines, records, point } = await pointOf(input, everyone, context);
  const places = everyone.map((i) => input.model.individuals.length + i);
  const [kinship] = parts.kernels;
  return traitErrorCovariances(
    records,
    point,
    selectRowsAndColumns(kinship, lines, places),
    selectRowsAndColumns(kinship, places, places),
  );
}

const isKnown = (known: KnownRecords | null, i: number): boolean =>
  known?.values.some((own) => !Number.isNaN(own[i])) === true;

/** Individuals of the panel with known records that are not of the training. */
function addedBy({ model, panel, known }: Together): Int32Array {
  const trained = new Set(model.individuals);
  return Int32Array.from(panel.samples.keys()).filter((i) => isKnown(known, i) && !trained.has(panel.samples[i]));
}

/** The records of training and known ones at the covariances of the model; `beside` stand after its individuals. */
async function pointOf(
  { model, figures, fits, training: trainingGenotype, panel, match, known }: Together,
  beside: Int32Array,
  context: AnalysisContext,
): Promise<{ parts: KinshipParts; lines: Int32Array; records: TraitRecords; point: TraitPoint }> {
  setComputeThreads(context.threads);
  const training = trainingPanel(model, trainingGenotype);
  const further: PanelIndividuals = { panel, match, individuals: beside };
  const candidates = { panel, match, individuals: Int32Array.from(panel.samples.keys()) };
  const parts = await kinshipParts({ model, observed: null, training, candidates, further }, context);
  const trained = model.individuals.length;
  const size = trained + beside.length;
  const placeOf = new Map(model.individuals.map((name, i) => [name, i]));
  const besideOf = new Map(Array.from(beside, (i, k) => [i, trained + k]));
  const values = fits.map(({ observed }, t) => {
    const all = new Float64Array(size).fill(Number.NaN);
    all.set(observed);
    for (const [i, name] of panel.samples.entries()) {
      const record = known?.values[t][i] ?? Number.NaN;
      const place = placeOf.get(name) ?? besideOf.get(i);
      if (!Number.isNaN(record) && place !== undefined) all[place] = record;
    }
    return all;
  });
  setComputeThreads(threadsFor(size, context));
  const lines = Int32Array.from({ length: size }, (_, i) => i).filter((i) =>
    values.some((own) => !Number.isNaN(own[i])),
  );
  const weights = figures.error_weights;
  const records = createTraitRecords({
    kinship: selectRowsAndColumns(parts.kernels[0], lines, lines),
    values: values.map((own) => Float64Array.from(lines, (i) => own[i])),
    designs: fits.map((fit) => designAmong(fit, lines)),
    ...(weights === null ? {} : { errorWeights: Float64Array.from(lines, (i) => weights[i] ?? 1) }),
  });
  const point = traitsAt(records, figures.genetic_covariance, figures.residual_covariance);
  if (point === null) throw new TypeError('the covariances of the model are none');
  return { parts, lines, records, point };
}

/** The intercept, and the fixed effects of the training by its individuals; rows without record are ignored. */
function designAmong({ observed, design }: TraitFit, lines: Int32Array): Matrix {
  const x = createMatrix(lines.length, 1 + design.length);
  x.data.fill(1, 0, lines.length);
  const rowOf = new Map(
    Array.from(observed.keys())
      .filter((i) => !Number.isNaN(observed[i]))
      .map((i, row) => [i, row]),
  );
  for (const [c, column] of design.entries()) {
    for (const [k, i] of lines.entries()) x.data[k + (c + 1) * lines.length] = column[rowOf.get(i) ?? -1] ?? 0;
  }
  return x;
}
