import { createMatrix } from '@heterosis/linalg/matrix';
import { maximizeFromStarts, type RemlProblem } from '../mixed-model/maximize-reml.ts';
import type { FieldPlaces, SpatialLayout } from './field-correlations.ts';
import type { TrialFrame } from './trial-equations.ts';

/**
 * Shares of the variance of the values: of the lines, of all smooth terms together, of all others, of the residual. A
 * smooth term and a row or column may take each other's part, and each way can be a maximum.
 */
const SHARES = [
  { lines: 0.1, smooth: 0.02, rough: 0.02, residual: 0.8 },
  { lines: 0.3, smooth: 2, rough: 0.02, residual: 0.3 },
  { lines: 0.3, smooth: 0.2, rough: 0.3, residual: 0.4 },
  { lines: 0.1, smooth: 2, rough: 2, residual: 0.2 },
] as const;

/** Correlations of rows and columns to start from. */
const CORRELATIONS = [
  [0.5, 0.5],
  [0.8, 0.2],
  [0.2, 0.8],
  [0.9, 0.9],
] as const;
/** Plots above which climbs of a dense model begin at the estimates from a part of the lines. */
const MANY_PLOTS = 200;
/** Coefficients above which a mixed model starts from the first two points only. */
const MANY_COEFFICIENTS = 400;

/** For {@link mixedEquations}: likelihoods of trials have several maxima, so climbs begin at several points. */
export function mixedStarts({
  isSmooth,
  random,
  coefficients,
}: {
  isSmooth: readonly boolean[];
  random: boolean;
  coefficients: number;
}): Float64Array[] {
  const smooth = isSmooth.filter(Boolean).length;
  const usable = smooth === 0 ? SHARES.filter((share) => share.smooth === share.rough) : SHARES;
  const chosen = isSmooth.length < 2 ? usable.slice(0, 1) : usable;
  return chosen
    .slice(0, coefficients > MANY_COEFFICIENTS ? 2 : chosen.length)
    .map((share) =>
      Float64Array.from([
        ...(random ? [share.lines] : []),
        ...isSmooth.map((one) => (one ? share.smooth / smooth : share.rough / (isSmooth.length - smooth))),
        share.residual,
      ]),
    );
}

/**
 * For {@link spatialEquations}. A large trial is first fitted to every second, third … line with all of its plots, from
 * all points; its own climb begins at the best end.
 */
export function spatialStarts(
  frame: TrialFrame,
  places: FieldPlaces,
  layout: SpatialLayout,
  equations: (part: TrialFrame, placesOfPart: FieldPlaces) => RemlProblem,
): Float64Array[] {
  // In the working scale of the equations.
  const points = CORRELATIONS.map(([rows, columns]) => {
    const point = new Float64Array(layout.count);
    if (layout.lines >= 0) point[layout.lines] = 0.3;
    point[layout.spatial] = Math.log(layout.units >= 0 ? 0.35 : 0.7);
    if (layout.units >= 0) point[layout.units] = 0.35;
    if (layout.rows >= 0) point[layout.rows] = Math.atanh(rows);
    if (layout.columns >= 0) point[layout.columns] = Math.atanh(columns);
    return point;
  });
  const n = frame.y.length;
  if (n <= MANY_PLOTS) return points;
  const part = everyOther(frame, places, Math.ceil(n / MANY_PLOTS));
  const found = maximizeFromStarts(equations(part.frame, part.places), points);
  return found === null ? points.slice(0, 1) : [found.parameters];
}

/** Every k-th line with all of its plots. */
function everyOther(frame: TrialFrame, places: FieldPlaces, k: number): { frame: TrialFrame; places: FieldPlaces } {
  const { y, fixed, lines } = frame;
  const plots = [...lines.codes.keys()].filter((plot) => lines.codes[plot] < 0 || lines.codes[plot] % k === 0);
  const pick = (values: Float64Array) => Float64Array.from(plots, (plot) => values[plot]);
  const pickPlaces = (values: Int32Array | null) => values && Int32Array.from(plots, (plot) => values[plot]);
  const columns = createMatrix(plots.length, fixed.columns);
  for (let j = 0; j < fixed.columns; j++)
    columns.data.set(pick(fixed.data.subarray(j * y.length, (j + 1) * y.length)), j * plots.length);
  const codes = Int32Array.from(plots, (plot) => (lines.codes[plot] < 0 ? -1 : lines.codes[plot] / k));
  return {
    frame: { y: pick(y), fixed: columns, lines: { ...lines, codes, count: Math.ceil(lines.count / k) } },
    places: { rows: pickPlaces(places.rows), columns: pickPlaces(places.columns) },
  };
}
