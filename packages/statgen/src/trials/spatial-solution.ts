import {
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, mirrorLower, transpose } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply, multiplyVector } from '@heterosis/linalg/products';
import { type FieldPlaces, lagPowers, type SpatialLayout } from './field-correlations.ts';
import type { LineEffects, TrialFrame, TrialSolution } from './trial-equations.ts';

/** The solution of an autoregressive model in all plots; O(n³), once a fit. */
export function solveSpatial(
  frame: TrialFrame,
  places: FieldPlaces,
  layout: SpatialLayout,
  parameters: Float64Array,
  marginal: Float64Array,
): TrialSolution {
  const { y, lines } = frame;
  const n = y.length;
  const spatial = parameters[layout.spatial];
  const units = layout.units < 0 ? 0 : parameters[layout.units];
  const lineVariance = lines.random ? parameters[layout.lines] : 0;
  const correlation = correlationMatrix(places, layout, parameters, n);
  const covariance = createMatrix(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const sameLine = lines.codes[i] >= 0 && lines.codes[i] === lines.codes[j];
      covariance.data[i + j * n] = spatial * correlation.data[i + j * n] + (sameLine ? lineVariance : 0);
    }
    covariance.data[j + j * n] += units;
  }
  const factor = choleskyInPlace(covariance);
  const logDeterminant = choleskyLogDeterminant(factor);
  const inverse = choleskyInverseInPlace(factor);
  const design = lines.random ? frame.fixed : withLines(frame);
  const p = design.columns;
  const weighted = multiply(inverse, design);
  const information = choleskyInPlace(multiply(design, weighted, { transposeA: true }));
  // P = V⁻¹ − (V⁻¹X L⁻ᵀ)(…)′, in place of V⁻¹.
  const half = transpose(weighted);
  const right = multiplyVector(weighted, y, { transposeA: true });
  solveLowerInPlace(information.lower, half);
  addOuterProduct(inverse, half, -1, { transposeA: true });
  const projection = mirrorLower(inverse);
  const effectCovariance = choleskyInverseInPlace(information);
  const effects = multiplyVector(effectCovariance, right);
  const py = multiplyVector(projection, y);
  const process = multiplyVector(correlation, py);
  const lineCount = lines.random ? 0 : lines.count;
  return {
    logDeterminant,
    quadratic: y.reduce((sum, value, i) => sum + value * py[i], 0),
    py,
    projectionDiagonal: Float64Array.from({ length: n }, (_, i) => projection.data[i + i * n]),
    residual: layout.units < 0 ? process.map((value) => spatial * value) : py.map((value) => units * value),
    trend: layout.units < 0 ? new Float64Array(n) : process.map((value) => spatial * value),
    fixedEffects: effects.slice(lineCount),
    effectiveDimensions: effectiveDimensions({ frame, layout, projection, correlation, parameters }),
    lineMeans: lines.random ? null : meansOf(frame, effects, effectCovariance, marginal),
    lineEffects: lines.random ? effectsOf(frame, lineVariance, py, projection) : null,
  };

  function withLines({ fixed }: TrialFrame): Matrix {
    const whole = createMatrix(n, lines.count + fixed.columns);
    lines.codes.forEach((code, i) => {
      whole.data[i + code * n] = 1;
    });
    whole.data.set(fixed.data, lines.count * n);
    return matrixOf(n, lines.count + fixed.columns, whole.data);
  }

  function meansOf({ fixed }: TrialFrame, values: Float64Array, whole: Matrix, weights: Float64Array) {
    const { count } = lines;
    const contrast = createMatrix(p, count);
    for (let line = 0; line < count; line++) {
      contrast.data[line + line * p] = 1;
      for (let k = 0; k < fixed.columns; k++) contrast.data[count + k + line * p] = weights[k];
    }
    const means = multiplyVector(contrast, values, { transposeA: true });
    return { values: means, covariance: multiply(contrast, multiply(whole, contrast), { transposeA: true }).data };
  }
}

function correlationMatrix(places: FieldPlaces, layout: SpatialLayout, parameters: Float64Array, n: number): Matrix {
  const powers = lagPowers(places, layout, parameters);
  const result = createMatrix(n, n);
  const along = (values: Float64Array, at: Int32Array | null, i: number, j: number) =>
    at === null ? 1 : values[Math.abs(at[i] - at[j])];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++)
      result.data[i + j * n] =
        along(powers.rows.values, places.rows, i, j) * along(powers.columns.values, places.columns, i, j);
  }
  return result;
}

function effectiveDimensions({
  frame: { lines },
  layout,
  projection,
  correlation,
  parameters,
}: {
  frame: TrialFrame;
  layout: SpatialLayout;
  projection: Matrix;
  correlation: Matrix;
  parameters: Float64Array;
}): Float64Array {
  const n = projection.rows;
  const result = new Float64Array(layout.count);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const value = projection.data[i + j * n];
      result[layout.spatial] += value * correlation.data[i + j * n];
      if (layout.lines >= 0 && lines.codes[i] >= 0 && lines.codes[i] === lines.codes[j]) result[layout.lines] += value;
      if (layout.units >= 0 && i === j) result[layout.units] += value;
    }
  }
  const isVariance = (place: number) => place !== layout.rows && place !== layout.columns;
  return result.map((trace, place) => (isVariance(place) ? trace * parameters[place] : 0));
}

/** σ²_g W′Py, and σ²_g I − σ⁴_g W′PW. */
function effectsOf({ lines }: TrialFrame, lineVariance: number, py: Float64Array, projection: Matrix): LineEffects {
  const n = py.length;
  const values = new Float64Array(lines.count);
  const covariance = createMatrix(lines.count, lines.count);
  for (let line = 0; line < lines.count; line++) covariance.data[line * (lines.count + 1)] = lineVariance;
  let errorSum = lines.count * lineVariance;
  for (let j = 0; j < n; j++) {
    const line = lines.codes[j];
    if (line < 0) continue;
    values[line] += lineVariance * py[j];
    for (let i = 0; i < n; i++) {
      if (lines.codes[i] < 0) continue;
      const value = lineVariance ** 2 * projection.data[i + j * n];
      errorSum -= value;
      covariance.data[lines.codes[i] + line * lines.count] -= value;
    }
  }
  return {
    ...{ values, errorSum },
    errorVariances: Float64Array.from({ length: lines.count }, (_, line) => covariance.data[line * (lines.count + 1)]),
    errorCovariance: () => covariance,
  };
}
