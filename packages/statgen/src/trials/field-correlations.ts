/** Places of the plots of a field, whole numbers; a coordinate that does not vary is null. */
export interface FieldPlaces {
  rows: Int32Array | null;
  columns: Int32Array | null;
}

/** Which parameters a spatial model has, and where each stands. */
export interface SpatialLayout {
  /** −1 when lines are fixed. */
  lines: number;
  spatial: number;
  /** −1 without a nugget. */
  units: number;
  /** −1 where the coordinate does not vary. */
  rows: number;
  columns: number;
  count: number;
}

/** Largest correlation of neighbours: at 1 a row or column is one effect, and the variance has no maximum. */
export const LARGEST_CORRELATION = 0.9999;

export function spatialLayout({
  random,
  places,
  units,
}: {
  random: boolean;
  places: FieldPlaces;
  units: boolean;
}): SpatialLayout {
  let count = 0;
  const next = (isThere: boolean) => (isThere ? count++ : -1);
  const lines = next(random);
  const spatial = next(true);
  const nugget = next(units);
  const rows = next(places.rows !== null);
  const columns = next(places.columns !== null);
  return { lines, spatial, units: nugget, rows, columns, count };
}

/** A value a lag 0, 1, …, and its derivative. */
export interface LagPowers {
  values: Float64Array;
  slopes: Float64Array;
}

/** Powers of a correlation for the lags 0 … most, and their derivatives. */
function powersOf(correlation: number, most: number): LagPowers {
  const values = new Float64Array(most + 1);
  const slopes = new Float64Array(most + 1);
  values[0] = 1;
  for (let lag = 1; lag <= most; lag++) {
    values[lag] = values[lag - 1] * correlation;
    slopes[lag] = lag * values[lag - 1];
  }
  return { values, slopes };
}

const NO_LAGS: LagPowers = { values: Float64Array.of(1), slopes: Float64Array.of(0) };

/** Along both coordinates. */
export interface FieldPowers {
  rows: LagPowers;
  columns: LagPowers;
}

/** The powers along both coordinates; a coordinate that does not vary has lag 0 everywhere. */
export function lagPowers(
  places: FieldPlaces,
  { rows, columns }: SpatialLayout,
  parameters: Float64Array,
): FieldPowers {
  const of = (at: Int32Array | null, place: number) =>
    at === null ? NO_LAGS : powersOf(parameters[place], spanOf(at));
  return { rows: of(places.rows, rows), columns: of(places.columns, columns) };
}

function spanOf(at: Int32Array): number {
  let low = at[0];
  let high = at[0];
  for (const value of at) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low;
}
