import { createMatrix } from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';
import type { SeriesData } from './series-data.ts';
import type { SeriesParameters } from './series-likelihood.ts';
import { listParameters, type Parameter } from './series-scores.ts';

/**
 * Covariance of the effects of a line between environments, for each kernel: `cs` (compound symmetry) has one variance
 * of lines and one of their interaction, `diag` one variance an environment and no covariance, `fa` k factors with a
 * loading an environment beside a specific variance each (Smith, Cullis & Thompson 2001).
 */
export type SeriesStructure = { kind: 'cs' } | { kind: 'diag' } | { kind: 'fa'; factors: number };

/** `cs`, `diag`, `fa1`, `fa2`, …. */
export function nameOfStructure(structure: SeriesStructure): string {
  return structure.kind === 'fa' ? `fa${structure.factors}` : structure.kind;
}

/** The structure with a name, or `auto`; null for another text. */
export function structureNamed(name: string): SeriesStructure | 'auto' | null {
  if (name === 'auto' || name === 'cs' || name === 'diag') return name === 'auto' ? name : { kind: name };
  const factors = /^fa([1-9]\d?)$/.exec(name)?.[1];
  return factors === undefined ? null : { kind: 'fa', factors: Number(factors) };
}

/**
 * Parameters to search for: each of them stands for one or several numbers of `SeriesParameters`, all with its value.
 * Loadings may have either sign; variances are ≥ 0.
 */
export interface SearchParameter {
  places: readonly Parameter[];
  isVariance: boolean;
}

/** What a structure leaves free. */
export interface StructuredModel {
  structures: readonly SeriesStructure[];
  kernelOf: Int32Array;
  free: readonly SearchParameter[];
  /** Every number of the parameters, in the order of `listParameters`. */
  places: readonly Parameter[];
  /** Place of each number among them, by key. */
  placeOf: ReadonlyMap<string, number>;
}

/**
 * The free parameters of a structure for each kernel; local variances are free one by one.
 *
 * @throws StatgenError `bad-option` when there are more factors than environments, or not one structure a kernel
 */
export function structureModel(data: SeriesData, structures: readonly SeriesStructure[]): StructuredModel {
  if (structures.length !== data.kernels.length) {
    throw new StatgenError('bad-option', `${data.kernels.length} kernels need as many structures`);
  }
  const kernelOf = Int32Array.from(
    structures.flatMap((structure, kernel) => Array.from({ length: factorsOf(structure, data) }, () => kernel)),
  );
  const places = listParameters(data, kernelOf.length);
  const free = [...Map.groupBy(places, (place) => groupOf(place, structures, kernelOf)).values()].map((group) => ({
    places: group,
    isVariance: group[0]?.kind !== 'loading',
  }));
  const placeOf = new Map(places.map((place, k) => [keyOf(place), k]));
  return { structures, kernelOf, free, places, placeOf };
}

/** Parameters of a structure of e environments, rotations of the factors taken off. */
export function parameterCount(structure: SeriesStructure, environments: number): number {
  if (structure.kind === 'cs') return 2;
  if (structure.kind === 'diag') return environments;
  const { factors: k } = structure;
  return environments * (k + 1) - (k * (k - 1)) / 2;
}

/** The parameters with these values of the free ones. */
export function parametersOf(data: SeriesData, model: StructuredModel, values: Float64Array): SeriesParameters {
  const e = data.trials.length;
  const loadings = createMatrix(e, model.kernelOf.length);
  const specific = createMatrix(e, data.kernels.length);
  const local = data.trials.map(({ terms }) => new Float64Array(terms.length));
  for (const [k, { places }] of model.free.entries()) {
    for (const place of places) {
      if (place.kind === 'loading') loadings.data[place.trial + place.factor * e] = values[k];
      else if (place.kind === 'specific') specific.data[place.trial + place.kernel * e] = values[k];
      else local[place.trial][place.term] = values[k];
    }
  }
  return { kernelOf: model.kernelOf, loadings, specific, local };
}

/** The values of the free parameters; of a group, the mean. */
export function valuesOf({ free }: StructuredModel, { loadings, specific, local }: SeriesParameters): Float64Array {
  return Float64Array.from(free, ({ places }) => {
    const sum = places.reduce((total, place) => {
      if (place.kind === 'loading') return total + loadings.data[place.trial + place.factor * loadings.rows];
      if (place.kind === 'specific') return total + specific.data[place.trial + place.kernel * specific.rows];
      return total + local[place.trial][place.term];
    }, 0);
    return sum / places.length;
  });
}

/** A key of a number of the parameters. */
export function keyOf(place: Parameter): string {
  if (place.kind === 'loading') return `loading ${place.trial} ${place.factor}`;
  if (place.kind === 'specific') return `specific ${place.trial} ${place.kernel}`;
  return `local ${place.trial} ${place.term}`;
}

function factorsOf(structure: SeriesStructure, { trials }: SeriesData): number {
  if (structure.kind === 'diag') return 0;
  if (structure.kind === 'cs') return 1;
  if (!(Number.isInteger(structure.factors) && structure.factors >= 1 && structure.factors < trials.length)) {
    throw new StatgenError('bad-option', `${trials.length} environments do not carry ${structure.factors} factors`, {
      factors: structure.factors,
      environments: trials.length,
    });
  }
  return structure.factors;
}

function groupOf(place: Parameter, structures: readonly SeriesStructure[], kernelOf: Int32Array): string {
  if (place.kind === 'local') return keyOf(place);
  const kernel = place.kind === 'loading' ? kernelOf[place.factor] : place.kernel;
  return structures[kernel]?.kind === 'cs' ? `${place.kind} of kernel ${kernel}` : keyOf(place);
}
