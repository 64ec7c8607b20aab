import { createMatrix } from '@heterosis/linalg/matrix';
import type { FieldPlaces, SpatialLayout } from './field-correlations.ts';
import { maximizeFromStarts, type RemlProblem } from './maximize-reml.ts';
import type { TrialFrame } from './trial-equations.ts';

/** Shares of the variance of the values: of the lines, of all random terms together, of the residual. */
const SHARES = [
  { lines: 0.3, terms: 0.3, residual: 0.4 },
  { lines: 0.1, terms: 0.02, residual: 0.8 },
  { lines: 0.1, terms: 2, residual: 0.2 },
] as const;

/** Correlations of rows and columns to start from. */
const CORRELATIONS = [
  [0.5, 0.5],
  [0.8, 0.2],
  [0.2, 0.8],
  [0.9, 0.9],
] as const;
/** Plots above which climbs of a dense model begin at the estimates from a part of the lines. */
const MANY_PLOTS = 300;
/** Coefficients above which a mixed model starts from the first two points only. */
const MANY_COEFFICIENTS = 400;

/** For {@link mixedEquations}: likelihoods of trials have several maxima, so climbs begin at several points. */
export function mixedStarts({
  terms,
  random,
  coefficients,
}: {
  terms: number;
  random: boolean;
  coefficients: number;
}): Float64Array[] {
  const chosen = terms < 2 ? 1 : coefficients > MANY_COEFFICIENTS ? 2 : SHARES.length;
  return SHARES.slice(0, chosen).map((share) =>
    Float64Array.from([
      ...(random ? [share.lines] : []),
      ...Array<number>(terms).fill(share.terms / Math.max(1, terms)),
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
