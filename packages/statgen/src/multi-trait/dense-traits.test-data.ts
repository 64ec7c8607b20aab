import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { invertSymmetric } from '../mixed-model/dense-reml.test-data.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { lowerPlaces } from './small-covariances.ts';

/** Records of several traits as a test gives them. */
export interface SmallTraits {
  kinship: Matrix;
  values: Float64Array[];
  designs: Matrix[];
  errorWeights: Float64Array;
  /** Kinships of the lines with some others, n × c, and of these to themselves. */
  across: Matrix;
  own: Float64Array;
  /** Kinships of the others among each other, c × c. */
  among: Matrix;
}

/** The model of several traits as its definition says, over the records present, with arrays of rows. */
export function denseTraits(
  { kinship, values, designs, errorWeights, across, own, among }: SmallTraits,
  genetic: number[][],
  residual: number[][],
): {
  logLikelihood: number;
  blup: number[][];
  errorVariance: number[][];
  /** Of the errors of each pair of candidates, a row a candidate. */
  errorCovariance: number[][][];
  coefficients: number[];
  /** ½(V_k Py)ᵀP(V_l Py), as `TraitScores.information`, of values as they are. */
  information: number[][];
} {
  const records = values.flatMap((trait, t) =>
    [...trait.keys()].filter((i) => !Number.isNaN(trait[i])).map((i) => ({ t, i, y: trait[i] })),
  );
  const n = kinship.rows;
  const v = records.map((a) =>
    records.map(
      (b) =>
        genetic[a.t][b.t] * kinship.data[a.i + b.i * n] + (a.i === b.i ? residual[a.t][b.t] * errorWeights[a.i] : 0),
    ),
  );
  const fixed = designs.flatMap((design, t) => Array.from({ length: design.columns }, (_, c) => ({ t, c })));
  const x = records.map(({ t, i }) => fixed.map((f) => (f.t === t ? designs[t].data[i + f.c * n] : 0)));
  const { inverse, logDeterminant } = invertSymmetric(v);
  const times = (vector: number[]) => inverse.map((row) => dot(row, vector));
  const columns = fixed.map((_, c) => times(x.map((row) => row[c])));
  const information = fixed.map((_, c) =>
    fixed.map((__, d) =>
      dot(
        columns[c],
        x.map((row) => row[d]),
      ),
    ),
  );
  const { inverse: fixedCovariance, logDeterminant: logX } = invertSymmetric(information);
  const project = (vector: number[]): number[] => {
    const seen = fixed.map((_, c) => dot(columns[c], vector));
    const b = fixedCovariance.map((row) => dot(row, seen));
    return times(vector).map((value, k) => value - b.reduce((sum, own_, c) => sum + own_ * columns[c][k], 0));
  };
  const y = records.map((record) => record.y);
  const weights = project(y);
  const seen = fixed.map((_, c) => dot(columns[c], y));
  const varied = [kinship.data, null].flatMap((kernel) =>
    lowerPlaces(values.length).map(([row, column]) =>
      records.map((a) =>
        records.reduce((sum, b, k) => {
          const isMeant = (a.t === row && b.t === column) || (a.t === column && b.t === row);
          const covariance = kernel === null ? (a.i === b.i ? errorWeights[a.i] : 0) : kernel[a.i + b.i * n];
          return isMeant ? sum + covariance * weights[k] : sum;
        }, 0),
      ),
    ),
  );
  const candidates = [...own.keys()];
  const covarianceOf = (t: number, j: number) =>
    records.map((record) => genetic[t][record.t] * across.data[record.i + j * n]);
  return {
    logLikelihood:
      -0.5 * ((records.length - fixed.length) * Math.log(2 * Math.PI) + logDeterminant + logX + dot(y, weights)),
    blup: values.map((_, t) => candidates.map((j) => dot(covarianceOf(t, j), weights))),
    errorVariance: values.map((_, t) =>
      candidates.map((j) => genetic[t][t] * own[j] - dot(covarianceOf(t, j), project(covarianceOf(t, j)))),
    ),
    errorCovariance: values.map((_, t) => {
      const projected = candidates.map((j) => project(covarianceOf(t, j)));
      return candidates.map((i) =>
        candidates.map((j) => genetic[t][t] * among.data[i + j * own.length] - dot(covarianceOf(t, i), projected[j])),
      );
    }),
    coefficients: fixedCovariance.map((row) => dot(row, seen)),
    information: varied.map((one) => {
      const projected = project(one);
      return varied.map((other) => 0.5 * dot(other, projected));
    }),
  };
}

/** Lines of random markers, traits with a shared genetic part, holes, a covariate of the second trait, and weights. */
export function smallTraits(
  seed: number,
  {
    lines = 24,
    traits = 3,
    holes = 0.3,
    isWeighed = true,
  }: { lines?: number; traits?: number; holes?: number; isWeighed?: boolean } = {},
): SmallTraits {
  const random = createRandomStream(seed, 'small-traits', lines);
  const markers = 40;
  const all = lines + 3;
  const z = Array.from({ length: all }, () => Array.from({ length: markers }, () => (random.uniform() < 0.5 ? 1 : -1)));
  const kinshipOf = (i: number, j: number): number => dot(z[i], z[j]) / markers + (i === j ? 0.05 : 0);
  const kinship = createMatrix(lines, lines);
  for (let i = 0; i < lines; i++) for (let j = 0; j < lines; j++) kinship.data[i + j * lines] = kinshipOf(i, j);
  // Candidates: three new lines, then two with records.
  const candidates = [lines, lines + 1, lines + 2, 0, 5];
  const across = createMatrix(lines, candidates.length);
  for (const [j, c] of candidates.entries())
    for (let i = 0; i < lines; i++) across.data[i + j * lines] = kinshipOf(i, c);
  const effects = Array.from({ length: traits + 1 }, () => Array.from({ length: markers }, () => random.normal() / 5));
  const values = Array.from({ length: traits }, (_, t) =>
    Float64Array.from(
      { length: lines },
      (__, i) => 3 + t + dot(z[i], effects[t]) + dot(z[i], effects[traits]) + 0.8 * random.normal(),
    ),
  );
  const complete = values.map((trait) => trait.slice());
  for (const trait of values) for (const i of trait.keys()) if (random.uniform() < holes) trait[i] = Number.NaN;
  for (let i = 0; i < lines; i++) {
    if (values.every((trait) => Number.isNaN(trait[i]))) values[i % traits][i] = complete[i % traits][i];
  }
  const covariate = Float64Array.from({ length: lines }, () => random.normal());
  const designs = values.map((_, t) =>
    t === 1
      ? matrixOf(lines, 2, Float64Array.from([...new Float64Array(lines).fill(1), ...covariate]))
      : matrixOf(lines, 1, new Float64Array(lines).fill(1)),
  );
  const errorWeights = Float64Array.from({ length: lines }, () => (isWeighed ? 0.5 + random.uniform() : 1));
  const own = Float64Array.from(candidates, (c) => kinshipOf(c, c));
  const among = matrixOf(
    candidates.length,
    candidates.length,
    Float64Array.from(candidates.flatMap((i) => candidates.map((j) => kinshipOf(i, j)))),
  );
  return { kinship, values, designs, errorWeights, across, own, among };
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
