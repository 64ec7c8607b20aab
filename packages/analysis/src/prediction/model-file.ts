import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { heritabilityOf } from '@heterosis/statgen/mixed-model/heritability';
import { AnalysisError } from '../context.ts';
import type { Prediction } from './predict.ts';
import {
  type FittedErrors,
  MODEL_VERSION,
  type ModelMarkers,
  type TrainedModel,
  type TrainedTrait,
  type TraitFit,
} from './trained-model.ts';

/**
 * A model as JSON text. Numbers keep all their digits; NaN is written as null. What differs from run to run is left
 * out.
 */
export function modelJson(model: TrainedModel): string {
  const traits = model.traits.map(({ fit, ...trait }) => ({
    ...trait,
    fit: fit === null ? null : { ...fit, seconds: undefined },
  }));
  return `${JSON.stringify({ ...model, traits }, (_key, value: unknown) => (value instanceof Float64Array ? Array.from(value) : value))}\n`;
}

/** Reads what {@link modelJson} wrote. Throws AnalysisError `models/not-a-model` for anything else. */
export function parseModelJson(text: string): TrainedModel {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw notAModel('it is not JSON', cause);
  }
  const model = parsed as TrainedModel;
  if (typeof parsed !== 'object' || parsed === null || model.format !== 'heterosis-model') {
    throw notAModel('it was not written by heterosis train');
  }
  const version: unknown = model.version;
  if (version !== 1 && version !== MODEL_VERSION) {
    throw notAModel(`its version is ${String(version)}, and this program reads versions 1 and ${MODEL_VERSION}`);
  }
  const count = model.markers?.id?.length;
  if (!Array.isArray(model.markers?.id) || !Array.isArray(model.individuals) || !Array.isArray(model.traits)) {
    throw notAModel('parts of it are missing');
  }
  const markers: ModelMarkers = {
    ...model.markers,
    positionBp: numbers(model.markers.positionBp, count, 'marker positions'),
    freqA2: numbers(model.markers.freqA2, count, 'allele frequencies'),
    heterozygosity: numbers(model.markers.heterozygosity, count, 'shares of heterozygotes'),
  };
  const traits = version === 1 ? model.traits.map((trait) => fromVersion1(trait, model.markers)) : model.traits;
  return {
    ...model,
    version: MODEL_VERSION,
    kinshipFrom: version === 1 ? 'markers' : model.kinshipFrom,
    settings: version === 1 ? { ...model.settings, covariates: [], principalComponents: 0 } : model.settings,
    markers,
    traits: traits.map((trait) => parseTrait(trait, count, model.individuals.length)),
  };
}

/**
 * Version 1 kept the shares of the phenotypic variance under the names h2 and H2; the ratios follow from the
 * components. With dominance its values were genotypic; the breeding values of its individuals need their genotypes.
 */
function fromVersion1(trait: TrainedTrait, markers: ModelMarkers): TrainedTrait {
  const { fit } = trait;
  if (fit === null) return trait;
  const { additive, dominance, residual, h2: additiveShare } = fit.variance;
  const { h2, H2 } = heritabilityOf({ additive, dominance, residual }, { additive: 1, dominance: 1 }, null);
  return {
    ...trait,
    fit: {
      ...fit,
      ...(dominance === null
        ? { frequencyA2: null, genotypic: null }
        : {
            frequencyA2: markers.freqA2,
            genotypic: { value: fit.gebv, reliability: fit.reliability },
            gebv: unknownValues(fit.gebv.length),
            reliability: unknownValues(fit.gebv.length),
          }),
      H2,
      fixedEffects: [],
      design: [],
      withoutCovariate: 0,
      variance: {
        additive,
        dominance,
        residual,
        h2,
        kinship_pve: additiveShare,
        dominance_pve: dominance === null ? null : fit.H2 - additiveShare,
        standard_errors: null,
      },
    },
  };
}

const unknownValues = (count: number): Float64Array => new Float64Array(count).fill(Number.NaN);

function parseTrait(trait: TrainedTrait, markers: number, individuals: number): TrainedTrait {
  if (trait.fit === null) return trait;
  const { n, errors, sampling, pev, kernel } = trait.fit;
  const fit: TraitFit = {
    ...trait.fit,
    seconds: 0,
    additive: numbers(trait.fit.additive, markers, `effects of ${trait.name}`),
    dominance: trait.fit.dominance === null ? null : numbers(trait.fit.dominance, markers, `effects of ${trait.name}`),
    frequencyA2:
      trait.fit.frequencyA2 === null ? null : numbers(trait.fit.frequencyA2, markers, `frequencies of ${trait.name}`),
    genotypic:
      trait.fit.genotypic === null
        ? null
        : {
            value: numbers(trait.fit.genotypic.value, individuals, `genotypic values of ${trait.name}`),
            reliability: numbers(trait.fit.genotypic.reliability, individuals, `reliabilities of ${trait.name}`),
          },
    design: trait.fit.design.map((column) => numbers(column, n, `values of a fixed effect of ${trait.name}`)),
    gebv: numbers(trait.fit.gebv, individuals, `GEBVs of ${trait.name}`),
    reliability: numbers(trait.fit.reliability, individuals, `reliabilities of ${trait.name}`),
    ...(pev === undefined ? {} : { pev: numbers(pev, individuals, `error variances of ${trait.name}`) }),
    observed: numbers(trait.fit.observed, individuals, `values of ${trait.name}`),
    ...(sampling === undefined
      ? {}
      : {
          sampling: {
            ...sampling,
            inclusion: numbers(sampling.inclusion, markers, `inclusion probabilities of ${trait.name}`),
            inclusion_error: numbers(sampling.inclusion_error, markers, `errors of inclusion of ${trait.name}`),
            effect_sd: numbers(sampling.effect_sd, markers, `deviations of effects of ${trait.name}`),
            gebv_sd: numbers(sampling.gebv_sd, individuals, `deviations of GEBVs of ${trait.name}`),
          },
        }),
    ...(kernel === undefined
      ? {}
      : { kernel: { ...kernel, weights: numbers(kernel.weights, individuals, `weights of ${trait.name}`) } }),
    ...(errors === undefined
      ? {}
      : {
          errors: { ...errors, covariance: numbers(errors.covariance, sizeOf(errors, n), `errors of ${trait.name}`) },
        }),
  };
  return { ...trait, fit };
}

/** Independent errors have n variances, others a triangle. */
const sizeOf = ({ covariance }: FittedErrors, n: number): number => (covariance?.length === n ? n : (n * (n + 1)) / 2);

/** A list of the file as numbers, null as NaN. */
function numbers(values: ArrayLike<number | null>, length: number, what: string): Float64Array {
  const isList = Array.isArray(values) || values instanceof Float64Array;
  if (!isList || values.length !== length) {
    throw notAModel(`it has ${isList ? values.length : 'no'} ${what}, ${length} were expected`);
  }
  return Float64Array.from<number | null>(values, (value) => value ?? Number.NaN);
}

function notAModel(reason: string, cause?: unknown): AnalysisError {
  const error = new AnalysisError(
    'models/not-a-model',
    `The file is not a trained model: ${reason}.`,
    'Give the model.json that training has written.',
  );
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** Marker effects of one trait as CSV, per copy of A2: id,chr,pos,A1,A2,freqA2,additive[,dominance][,pip]. */
export function markerEffectsCsv(markers: ModelMarkers, fit: TraitFit): Iterable<string> {
  const { dominance } = fit;
  const header = [
    ...['id', 'chr', 'pos', 'A1', 'A2', 'freqA2', 'additive'],
    ...(dominance === null ? [] : ['dominance']),
    ...(fit.sampling === undefined ? [] : ['pip']),
  ];
  return csvChunks(header, effectRows(markers, fit));
}

/**
 * Posterior means of marker effects as CSV, per copy of A2, with the posterior inclusion probability:
 * marker,effect,pip; of several traits trait,marker,effect,pip.
 */
export function sampledEffectsCsv({ markers, traits }: TrainedModel): Iterable<string> {
  const isOne = traits.length === 1;
  const rows = traits.flatMap(({ name, fit }) =>
    fit?.sampling === undefined
      ? []
      : markers.id.map((id, j) => [
          ...(isOne ? [] : [name]),
          ...[id, fit.additive[j], fit.sampling?.inclusion[j] ?? Number.NaN],
        ]),
  );
  return csvChunks([...(isOne ? [] : ['trait']), 'marker', 'effect', 'pip'], rows);
}

function* effectRows(markers: ModelMarkers, fit: TraitFit): Generator<(string | number)[]> {
  for (let j = 0; j < markers.id.length; j++) {
    const row = [
      markers.id[j],
      markers.chromosome[j],
      markers.positionBp[j],
      markers.a1[j],
      markers.a2[j],
      markers.freqA2[j],
      fit.additive[j],
    ];
    if (fit.dominance !== null) row.push(fit.dominance[j]);
    if (fit.sampling !== undefined) row.push(fit.sampling.inclusion[j]);
    yield row;
  }
}

/**
 * GEBVs of the genotyped individuals of training as CSV, best first: rank,individual,gebv,reliability,observed, and
 * with dominance genotypic,genotypic_reliability.
 */
export function gebvCsv(individuals: readonly string[], fit: TraitFit): Iterable<string> {
  const { genotypic } = fit;
  const order = Array.from(individuals.keys()).sort((a, b) => fit.gebv[b] - fit.gebv[a] || a - b);
  const rows = order.map((i, rank) => [
    rank + 1,
    individuals[i],
    fit.gebv[i],
    fit.reliability[i],
    fit.observed[i],
    ...(genotypic === null ? [] : [genotypic.value[i], genotypic.reliability[i]]),
  ]);
  const header = ['rank', 'individual', 'gebv', 'reliability', 'observed'];
  return csvChunks(genotypic === null ? header : [...header, 'genotypic', 'genotypic_reliability'], rows);
}

/**
 * Predictions as CSV: id,gebv_T,reliability_T for each trait T (of a model by sampling posterior_sd_T too), then
 * genotypic_T,genotypic_reliability_T for those with dominance; what is unknown is empty.
 */
export function predictionsCsv({ individuals, traits }: Prediction): Iterable<string> {
  const columns = [
    ...traits.flatMap(({ name, gebv, reliability, posteriorSd }) => [
      { name: `gebv_${name}`, values: gebv },
      { name: `reliability_${name}`, values: reliability },
      ...(posteriorSd === null ? [] : [{ name: `posterior_sd_${name}`, values: posteriorSd }]),
    ]),
    ...traits.flatMap(({ name, genotypic }) =>
      genotypic === null
        ? []
        : [
            { name: `genotypic_${name}`, values: genotypic.value },
            { name: `genotypic_reliability_${name}`, values: genotypic.reliability },
          ],
    ),
  ];
  return csvChunks(['id', ...columns.map(({ name }) => name)], predictionRows(individuals, columns));
}

function* predictionRows(
  individuals: readonly string[],
  columns: readonly { values: Float64Array }[],
): Generator<(string | number)[]> {
  for (const [i, name] of individuals.entries()) yield [name, ...columns.map(({ values }) => values[i])];
}
