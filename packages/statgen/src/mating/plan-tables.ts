import { PlanImpossible, type PlanMaterial } from './plan-limits.ts';
import { expectedGains, type IndexMethod, indexWeights, informationOf } from './selection-index.ts';
import { standardizedWeight } from './standardized-weights.ts';

/** What plans for the same candidates need, whatever the index and the constraints: computed once, kept, reused. */
export interface PlanTables {
  candidates: string[];
  traits: string[];
  /** Breeding values, n × T by rows. */
  values: Float64Array;
  /** Relationship, lower triangle with the diagonal by rows, n(n + 1)/2. */
  relationship: Float64Array;
  /** Within-cross covariances by pair of traits (0,0), (0,1) … (`pairCovariances`); null when they are not known. */
  covariances: Float32Array[] | null;
  /** Pairs of candidates that have been crossed, by index; absent when none is known. */
  made?: [number, number][];
  /** The values are of a model with the genetic covariances between the traits; absent where they are not. */
  isTogether?: boolean;
}

/** How several traits become one value. */
export interface IndexSettings {
  method: IndexMethod;
  /** By trait: economic weight, or desired gain; positive for the wanted direction. */
  weights: number[];
  /** Traits in which low values are wanted. */
  isLow: boolean[];
  /** Traits that shall not change (`restricted`). */
  isKept: boolean[];
  /** Accuracy of the breeding values by trait, above 0 to 1; of no use for values predicted together. */
  accuracy: number[];
}

/** Candidates with their index. */
export interface IndexedMaterial extends PlanMaterial {
  /** Weight of each trait's breeding value in the index. */
  weights: Float64Array;
  /** Expected change of each trait per unit of selection intensity, in its own unit. */
  gains: Float64Array;
}

/**
 * The index of the candidates and its spread within every cross: value = Σ b_t·(ĝ_t − mean ĝ_t), variance = Σ b_s b_t
 * Cov_st. With one trait the value is the breeding value itself, turned when low values are wanted.
 *
 * @throws StatgenError like `indexWeights`; PlanImpossible `no-index` when the weights are all zero
 */
export function indexMaterial(tables: PlanTables, settings: IndexSettings): IndexedMaterial {
  const n = tables.candidates.length;
  const traits = tables.traits.length;
  const accuracy = tables.isTogether === true ? null : Float64Array.from(settings.accuracy);
  const information = informationOf(tables.values, traits, accuracy);
  const sign = (t: number) => (settings.isLow[t] === true ? -1 : 1);
  const weights =
    traits === 1
      ? Float64Array.of(sign(0))
      : indexWeights(information, {
          method: settings.method,
          weights: Float64Array.from(settings.weights, (weight, t) => sign(t) * weight),
          isKept: Uint8Array.from(settings.isKept, (isKept) => (isKept ? 1 : 0)),
        });
  if (weights.every((weight) => weight === 0))
    throw new PlanImpossible('no-index', 'no trait has a weight in the index');
  const value = new Float64Array(n);
  for (let t = 0; t < traits; t++) {
    let mean = 0;
    if (traits > 1) for (let i = 0; i < n; i++) mean += tables.values[i * traits + t] / n;
    for (let i = 0; i < n; i++) value[i] += weights[t] * (tables.values[i * traits + t] - mean);
  }
  return {
    value,
    weights,
    gains: expectedGains(information, weights).gains,
    relationship: squareOf(tables.relationship, n),
    spread: tables.covariances === null ? null : spreadOf(tables.covariances, weights),
  };
}

/** Weights of traits in different units by their share in the index (1 each when absent): see `standardizedWeight`. */
export function weightsPerDeviation(
  { values, traits }: Pick<PlanTables, 'values' | 'traits'>,
  shares?: Readonly<Record<string, number>>,
): number[] {
  const count = traits.length;
  const n = values.length / count;
  return traits.map((trait, t) => {
    let mean = 0;
    let squares = 0;
    for (let i = 0; i < n; i++) mean += values[i * count + t] / n;
    for (let i = 0; i < n; i++) squares += (values[i * count + t] - mean) ** 2;
    return standardizedWeight(shares === undefined ? 1 : (shares[trait] ?? 0), Math.sqrt(squares / n));
  });
}

function spreadOf(covariances: readonly Float32Array[], weights: Float64Array): Float64Array {
  const traits = weights.length;
  const variance = new Float64Array(covariances[0]?.length ?? 0);
  let place = 0;
  for (let s = 0; s < traits; s++) {
    for (let t = s; t < traits; t++, place++) {
      const by = weights[s] * weights[t] * (s === t ? 1 : 2);
      const covariance = covariances[place];
      if (by !== 0) for (let pair = 0; pair < variance.length; pair++) variance[pair] += by * covariance[pair];
    }
  }
  return variance.map((one) => Math.sqrt(Math.max(0, one)));
}

/** Both triangles of a matrix kept as one. */
function squareOf(triangle: Float64Array, n: number): Float64Array {
  const square = new Float64Array(n * n);
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = 0; j <= i; j++, at++) {
      square[i * n + j] = triangle[at];
      square[j * n + i] = triangle[at];
    }
  }
  return square;
}

/** The same for a pair and its reciprocal. */
export const pairKey = ([i, j]: readonly [number, number]): string => `${Math.min(i, j)} ${Math.max(i, j)}`;

/** Marks the bytes of plan tables; version 1. */
const MAGIC = 0x48_58_50_31;
const ALIGNMENT = 8;

/**
 * The tables as bytes, for a file and for the browser: the magic number and the length of the JSON part (32 bits each,
 * little-endian), names and pairs already made as JSON, then values, relationship and covariances as in memory, each
 * from a multiple of 8.
 */
export function packPlanTables(tables: PlanTables): Uint8Array {
  const { candidates, traits, values, relationship, covariances, made, isTogether } = tables;
  const head = new TextEncoder().encode(
    JSON.stringify({ candidates, traits, hasCovariances: covariances !== null, made, isTogether }),
  );
  const arrays = [values, relationship, ...(covariances ?? [])];
  const start = aligned(8 + head.length);
  const bytes = new Uint8Array(arrays.reduce((sum, array) => sum + aligned(array.byteLength), start));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, head.length, true);
  bytes.set(head, 8);
  let at = start;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += aligned(array.byteLength);
  }
  return bytes;
}

/** Reads the output of {@link packPlanTables}. @throws RangeError for other bytes */
export function unpackPlanTables(bytes: Uint8Array): PlanTables {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || view.getUint32(0, true) !== MAGIC) throw new RangeError('these bytes are no plan tables');
  const length = view.getUint32(4, true);
  const { candidates, traits, hasCovariances, made, isTogether } = JSON.parse(
    new TextDecoder().decode(bytes.subarray(8, 8 + length)),
  ) as Pick<PlanTables, 'candidates' | 'traits' | 'made' | 'isTogether'> & { hasCovariances: boolean };
  const n = candidates.length;
  let at = aligned(8 + length);
  // Copies, because the bytes may begin anywhere in their buffer. `slice` of a Node.js Buffer would make none.
  const take = (count: number, size: number): ArrayBuffer => {
    const part = new Uint8Array(bytes.subarray(at, at + count * size));
    if (part.length !== count * size) throw new RangeError('the plan tables were cut');
    at += aligned(count * size);
    return part.buffer;
  };
  return {
    candidates,
    traits,
    values: new Float64Array(take(n * traits.length, 8)),
    relationship: new Float64Array(take((n * (n + 1)) / 2, 8)),
    covariances: hasCovariances
      ? Array.from(
          { length: (traits.length * (traits.length + 1)) / 2 },
          () => new Float32Array(take((n * (n - 1)) / 2, 4)),
        )
      : null,
    ...(made === undefined ? {} : { made }),
    ...(isTogether === undefined ? {} : { isTogether }),
  };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
