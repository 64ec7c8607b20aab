import type { TraitReduction } from './phenotype-table.ts';

/** The observations of one trait; arrays of one length. */
export interface TraitObservations {
  /** 0-based individual of each observation. */
  individual: ArrayLike<number>;
  /** 0-based cell of the design: a replicate (or block) of an environment, or the environment itself. */
  cell: ArrayLike<number>;
  /** NaN = missing. */
  value: ArrayLike<number>;
  individualCount: number;
  /** Environment of each cell. */
  cellEnvironment: ArrayLike<number>;
}

export interface AdjustedMeans {
  /** One value an individual; NaN where it has no observation. */
  values: Float64Array;
  observations: Int32Array;
  reduction: TraitReduction;
  h2: number | null;
  /** Groups of individuals that share no environment with each other, directly or through others; 1 when all are connected. */
  groups: number;
  /** True when replicates were left out of the model because they would have cut connected individuals apart. */
  droppedReplicates: boolean;
}

/**
 * Reduces the observations of a trait to one value an individual: least-squares (population marginal) means of the fixed model
 * y = individual + environment + replicate within environment + error, averaged over environments with equal weight and over the
 * replicates of an environment with equal weight (Searle, Speed & Milliken 1980, The American Statistician 34:216–221). With
 * every individual in every environment and replicate equally often this is the plain mean.
 *
 * The individuals are absorbed and the reduced normal equations of the cells (Searle 1971, Linear Models, §7.1) solved by
 * conjugate gradients; O(observations) an iteration, a few iterations for connected designs.
 *
 * Disconnected designs: differences between groups that share no environment mix lines and environments and cannot be
 * estimated. Each group then keeps its own level, the average over its own environments; `groups` tells the caller to warn.
 *
 * h2 is 1 − MS(error)/MS(individuals), the heritability of entry means (Holland, Nyquist & Cervantes-Martínez 2003, Plant
 * Breeding Reviews 22:9–112, balanced case). With several environments the error is the interaction of individuals and
 * environments (means per environment, then two-way), otherwise the residual. Exact for balanced data, an approximation for
 * others; negative estimates are 0; null without degrees of freedom.
 */
export function adjustedMeans(trait: TraitObservations): AdjustedMeans {
  const observed = withoutMissing(trait);
  const { individualCount, cellEnvironment } = trait;
  const observations = new Int32Array(individualCount);
  for (const individual of observed.individual) observations[individual]++;
  const values = new Float64Array(individualCount).fill(Number.NaN);

  if (observations.every((count) => count <= 1)) {
    for (let i = 0; i < observed.value.length; i++) values[observed.individual[i]] = observed.value[i];
    return { values, observations, reduction: 'as given', h2: null, groups: 1, droppedReplicates: false };
  }

  const byEnvironment = observed.cell.map((cell) => cellEnvironment[cell]);
  const environments = compact(byEnvironment);
  let cells = compact(observed.cell);
  let environmentOfCell = new Int32Array(cells.count);
  for (let i = 0; i < cells.codes.length; i++) environmentOfCell[cells.codes[i]] = environments.codes[i];

  const environmentGroups = connectedGroups(observed.individual, individualCount, environments);
  let groups = connectedGroups(observed.individual, individualCount, cells);
  const droppedReplicates = groups.count > environmentGroups.count;
  if (droppedReplicates) {
    cells = environments;
    environmentOfCell = Int32Array.from({ length: environments.count }, (_, environment) => environment);
    groups = environmentGroups;
  }

  const fit = fitTwoWay(observed.individual, individualCount, cells, observed.value, groups);
  const environmentEffects = groupMeans(environmentOfCell, environments.count, fit.cellEffects);
  const groupOfEnvironment = new Int32Array(environments.count);
  for (let cell = 0; cell < cells.count; cell++) groupOfEnvironment[environmentOfCell[cell]] = groups.ofCell[cell];
  const groupLevels = groupMeans(groupOfEnvironment, groups.count, environmentEffects);
  for (let individual = 0; individual < individualCount; individual++) {
    if (observations[individual] === 0) continue;
    values[individual] = fit.individualEffects[individual] + groupLevels[groups.ofIndividual[individual]];
  }

  let h2: number | null;
  if (environments.count < 2) {
    h2 = heritability(fit);
  } else {
    const means = environmentMeans(observed, environments, cells, fit.cellEffects, environmentEffects);
    h2 = heritability(fitTwoWay(means.individual, individualCount, means.environments, means.value, environmentGroups));
  }
  return {
    values,
    observations,
    reduction: cells.count === 1 ? 'mean' : 'adjusted mean',
    h2,
    groups: groups.count,
    droppedReplicates,
  };
}

interface Observed {
  individual: Int32Array;
  cell: Int32Array;
  value: Float64Array;
}

function withoutMissing(trait: TraitObservations): Observed {
  let count = 0;
  for (let i = 0; i < trait.value.length; i++) if (!Number.isNaN(trait.value[i])) count++;
  const observed = { individual: new Int32Array(count), cell: new Int32Array(count), value: new Float64Array(count) };
  let at = 0;
  for (let i = 0; i < trait.value.length; i++) {
    if (Number.isNaN(trait.value[i])) continue;
    observed.individual[at] = trait.individual[i];
    observed.cell[at] = trait.cell[i];
    observed.value[at] = trait.value[i];
    at++;
  }
  return observed;
}

/** A factor with levels 0 … count − 1, all of them used. */
interface Factor {
  codes: Int32Array;
  count: number;
}

function compact(codes: Int32Array): Factor {
  const levels = new Map<number, number>();
  const compacted = codes.map((code) => {
    const known = levels.get(code);
    if (known !== undefined) return known;
    levels.set(code, levels.size);
    return levels.size - 1;
  });
  return { codes: compacted, count: levels.size };
}

interface Groups {
  count: number;
  ofCell: Int32Array;
  /** −1 for an individual without observations. */
  ofIndividual: Int32Array;
}

/** Connected components of individuals and cells, joined by the observations (union–find with path halving). */
function connectedGroups(individual: Int32Array, individualCount: number, cells: Factor): Groups {
  const parent = Int32Array.from({ length: individualCount + cells.count }, (_, node) => node);
  const root = (node: number): number => {
    let at = node;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  for (let i = 0; i < individual.length; i++) parent[root(individual[i])] = root(individualCount + cells.codes[i]);
  const numbers = new Map<number, number>();
  const ofCell = new Int32Array(cells.count);
  for (let cell = 0; cell < cells.count; cell++) {
    const top = root(individualCount + cell);
    const number = numbers.get(top) ?? numbers.size;
    numbers.set(top, number);
    ofCell[cell] = number;
  }
  const ofIndividual = Int32Array.from({ length: individualCount }, (_, node) => numbers.get(root(node)) ?? -1);
  return { count: numbers.size, ofCell, ofIndividual };
}

interface TwoWayFit {
  /** ȳ of (y − cell effect) per individual, NaN without observations. */
  individualEffects: Float64Array;
  /** Effects of the cells, up to a constant per connected group. */
  cellEffects: Float64Array;
  errorSumOfSquares: number;
  /** Of the individuals after the cells. */
  individualSumOfSquares: number;
  errorDegrees: number;
  individualDegrees: number;
}

/** Residual norm relative to the norm of the centred observations below which only rounding is left. */
const RELATIVE_TOLERANCE = 1e-15;

/** Least squares of y = individual + cell + error by conjugate gradients on the cells (Hestenes & Stiefel 1952), Jacobi-scaled. */
function fitTwoWay(
  individual: Int32Array,
  individualCount: number,
  cells: Factor,
  value: Float64Array,
  groups: Pick<Groups, 'count' | 'ofCell'>,
): TwoWayFit {
  const n = value.length;
  const perIndividual = new Float64Array(individualCount);
  const perCell = new Float64Array(cells.count);
  let level = 0;
  for (let i = 0; i < n; i++) {
    perIndividual[individual[i]]++;
    perCell[cells.codes[i]]++;
    level += value[i] / n;
  }
  const y = value.map((observed) => observed - level);
  const sums = new Float64Array(individualCount);
  /** out = Z′(I − W(W′W)⁻¹W′) x, with Z the cells and W the individuals. */
  const absorb = (at: (i: number) => number, out: Float64Array): void => {
    sums.fill(0);
    out.fill(0);
    for (let i = 0; i < n; i++) sums[individual[i]] += at(i);
    for (let i = 0; i < n; i++) out[cells.codes[i]] += at(i) - sums[individual[i]] / perIndividual[individual[i]];
  };

  const cellEffects = new Float64Array(cells.count);
  const residual = new Float64Array(cells.count);
  absorb((i) => y[i], residual);
  removeGroupMeans(residual, groups);
  const direction = residual.map((r, cell) => r / perCell[cell]);
  const image = new Float64Array(cells.count);
  let rho = dot(residual, direction);
  const target = dot(y, y) * RELATIVE_TOLERANCE ** 2;
  for (let iteration = 0; iteration < 3 * cells.count + 20 && rho > target; iteration++) {
    absorb((i) => direction[cells.codes[i]], image);
    const curvature = dot(direction, image);
    if (!(curvature > 0)) break;
    const step = rho / curvature;
    for (let cell = 0; cell < cells.count; cell++) {
      cellEffects[cell] += step * direction[cell];
      residual[cell] -= step * image[cell];
    }
    removeGroupMeans(residual, groups);
    let next = 0;
    for (let cell = 0; cell < cells.count; cell++) next += residual[cell] ** 2 / perCell[cell];
    const ratio = next / rho;
    rho = next;
    for (let cell = 0; cell < cells.count; cell++)
      direction[cell] = residual[cell] / perCell[cell] + ratio * direction[cell];
  }

  const individualEffects = new Float64Array(individualCount);
  const cellMeans = new Float64Array(cells.count);
  for (let i = 0; i < n; i++) {
    individualEffects[individual[i]] += (y[i] - cellEffects[cells.codes[i]]) / perIndividual[individual[i]];
    cellMeans[cells.codes[i]] += y[i] / perCell[cells.codes[i]];
  }
  let errorSumOfSquares = 0;
  let withinCells = 0;
  for (let i = 0; i < n; i++) {
    errorSumOfSquares += (y[i] - individualEffects[individual[i]] - cellEffects[cells.codes[i]]) ** 2;
    withinCells += (y[i] - cellMeans[cells.codes[i]]) ** 2;
  }
  let individuals = 0;
  for (let i = 0; i < individualCount; i++) {
    if (perIndividual[i] > 0) individuals++;
    individualEffects[i] = perIndividual[i] > 0 ? individualEffects[i] + level : Number.NaN;
  }
  return {
    individualEffects,
    cellEffects,
    errorSumOfSquares,
    individualSumOfSquares: Math.max(0, withinCells - errorSumOfSquares),
    errorDegrees: n - individuals - cells.count + groups.count,
    individualDegrees: individuals - groups.count,
  };
}

/**
 * The equations leave a constant per group open. Rounding puts a trace of it into the residual; left there, conjugate gradients
 * would walk along it without end.
 */
function removeGroupMeans(values: Float64Array, groups: Pick<Groups, 'count' | 'ofCell'>): void {
  const means = groupMeans(groups.ofCell, groups.count, values);
  for (let cell = 0; cell < values.length; cell++) values[cell] -= means[groups.ofCell[cell]];
}

/** Below this share of the total a sum of squares is rounding. */
const ROUNDING = 1e-20;

function heritability(fit: TwoWayFit): number | null {
  if (fit.errorDegrees < 1 || fit.individualDegrees < 1) return null;
  const total = fit.errorSumOfSquares + fit.individualSumOfSquares;
  if (!(total > 0)) return null;
  if (fit.errorSumOfSquares <= ROUNDING * total) return 1;
  const errorMeanSquare = fit.errorSumOfSquares / fit.errorDegrees;
  const individualMeanSquare = fit.individualSumOfSquares / fit.individualDegrees;
  return Math.max(0, 1 - errorMeanSquare / individualMeanSquare);
}

/** Means per individual and environment, freed of the replicates' effects. */
function environmentMeans(
  observed: Observed,
  environments: Factor,
  cells: Factor,
  cellEffects: Float64Array,
  environmentEffects: Float64Array,
): { individual: Int32Array; environments: Factor; value: Float64Array } {
  const sums = new Map<number, { sum: number; count: number }>();
  for (let i = 0; i < observed.value.length; i++) {
    const environment = environments.codes[i];
    const key = observed.individual[i] * environments.count + environment;
    const value = observed.value[i] - cellEffects[cells.codes[i]] + environmentEffects[environment];
    const known = sums.get(key);
    if (known === undefined) {
      sums.set(key, { sum: value, count: 1 });
    } else {
      known.sum += value;
      known.count++;
    }
  }
  const individual = new Int32Array(sums.size);
  const codes = new Int32Array(sums.size);
  const value = new Float64Array(sums.size);
  let at = 0;
  for (const [key, { sum, count }] of sums) {
    individual[at] = Math.floor(key / environments.count);
    codes[at] = key % environments.count;
    value[at++] = sum / count;
  }
  return { individual, environments: { codes, count: environments.count }, value };
}

function groupMeans(groupOf: Int32Array, groupCount: number, values: Float64Array): Float64Array {
  const sums = new Float64Array(groupCount);
  const counts = new Float64Array(groupCount);
  for (let i = 0; i < values.length; i++) {
    sums[groupOf[i]] += values[i];
    counts[groupOf[i]]++;
  }
  return sums.map((sum, group) => sum / counts[group]);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
