/** Observations without missing values; arrays of one length. */
export interface Observed {
  /** 0-based individual of each observation. */
  individual: Int32Array;
  /** 0-based cell of the design of each observation. */
  cell: Int32Array;
  value: Float64Array;
}

/** A factor with levels 0 … count − 1, all of them used. */
export interface Factor {
  codes: Int32Array;
  count: number;
}

/** Renumbers levels in the order in which they first occur, without gaps. */
export function compact(codes: Int32Array): Factor {
  const levels = new Map<number, number>();
  const compacted = codes.map((code) => {
    const known = levels.get(code);
    if (known !== undefined) return known;
    levels.set(code, levels.size);
    return levels.size - 1;
  });
  return { codes: compacted, count: levels.size };
}

/** Connected components of individuals and cells. */
export interface Groups {
  count: number;
  ofCell: Int32Array;
  /** −1 for an individual without observations. */
  ofIndividual: Int32Array;
}

/**
 * Connected components of the graph whose nodes are individuals and cells and whose edges are observations (union–find
 * with path halving). In y = individual + cell + error the difference of two individuals is estimable exactly when both
 * are in one component (Searle 1971, Linear Models, §7.4).
 */
export function connectedGroups(individual: Int32Array, individualCount: number, cells: Factor): Groups {
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

/** Least squares of y = individual + cell + error. */
export interface TwoWayFit {
  /** Mean of y − cell effect per individual; NaN without observations. */
  individualEffects: Float64Array;
  /** Effects of the cells, up to a constant per connected group. */
  cellEffects: Float64Array;
  errorSumOfSquares: number;
  errorDegrees: number;
}

/** Residual norm relative to the norm of the centred observations below which only rounding is left. */
const RELATIVE_TOLERANCE = 1e-15;

/**
 * Least squares of y = individual + cell + error: the individuals are absorbed, and the reduced normal equations of the
 * cells (Searle 1971, Linear Models, §7.1) are solved by conjugate gradients (Hestenes & Stiefel 1952) with Jacobi
 * scaling. O(observations) per iteration; connected designs need a few iterations.
 */
export function fitTwoWay(
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
  for (let i = 0; i < n; i++) {
    individualEffects[individual[i]] += (y[i] - cellEffects[cells.codes[i]]) / perIndividual[individual[i]];
  }
  let errorSumOfSquares = 0;
  for (let i = 0; i < n; i++) {
    errorSumOfSquares += (y[i] - individualEffects[individual[i]] - cellEffects[cells.codes[i]]) ** 2;
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
    errorDegrees: n - individuals - cells.count + groups.count,
  };
}

/**
 * The normal equations leave one constant per group undetermined. Rounding puts a trace of it into the residual, along
 * which conjugate gradients would drift without end.
 */
function removeGroupMeans(values: Float64Array, groups: Pick<Groups, 'count' | 'ofCell'>): void {
  const means = groupMeans(groups.ofCell, groups.count, values);
  for (let cell = 0; cell < values.length; cell++) values[cell] -= means[groups.ofCell[cell]];
}

/** Mean of the values of each group. */
export function groupMeans(groupOf: Int32Array, groupCount: number, values: Float64Array): Float64Array {
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
