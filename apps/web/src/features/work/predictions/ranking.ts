import type { PredictionResults } from '@heterosis/contracts/work/predictions';

export type ResultRow = PredictionResults['data'][number];

/** The index of the project's traits, as the API names it in a sort. */
export const INDEX = 'index';

/** Values by which the strips above the table narrow it, both ends included: by trait, or `index`. */
export type Ranges = Readonly<Record<string, readonly [from: number, to: number]>>;

/** Ranges as a saved view keeps them, and those of them that a prediction with these strips can have. */
export const rangesAsText = (ranges: Ranges): Record<string, string> =>
  Object.fromEntries(Object.entries(ranges).map(([id, range]) => [id, range.join(' ')]));

export const rangesOfText = (saved: Readonly<Record<string, string>>, strips: readonly string[]): Ranges =>
  Object.fromEntries(
    Object.entries(saved).flatMap(([id, text]) => {
      const [from = Number.NaN, to = Number.NaN] = text.split(' ').map(Number);
      return strips.includes(id) && from <= to ? [[id, [from, to] as const]] : [];
    }),
  );

/** What a strip or a sort is about, of one line. */
export const valueOf = (row: ResultRow, traits: readonly string[], id: string): number | null =>
  id === INDEX && !traits.includes(INDEX) ? row.index : (row.gebv[traits.indexOf(id)] ?? null);

/** Lines that lie in all ranges, but for the one of `except`: a strip shows what the others leave. */
export function inRanges(
  rows: readonly ResultRow[],
  traits: readonly string[],
  ranges: Ranges,
  except?: string,
): ResultRow[] {
  const asked = Object.entries(ranges).filter(([id]) => id !== except);
  if (asked.length === 0) return [...rows];
  return rows.filter((row) =>
    asked.every(([id, [from, to]]) => {
      const value = valueOf(row, traits, id);
      return value !== null && value >= from && value <= to;
    }),
  );
}

/** Share of the other lines that are worse: 1 is the best in the direction that is wanted. */
export const wantedPercentile = (percentile: number, isLow: boolean): number => (isLow ? 1 - percentile : percentile);

/** Mean reliability of a line over its traits; null where none is known. */
export function meanReliability({ reliability }: ResultRow): number | null {
  const known = reliability.filter((one) => one !== null);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}

/** A square of relationships, row-major, with the names of its rows. */
export interface Kinship {
  names: readonly string[];
  values: readonly number[];
}

/** Mean relationship of each line with the chosen ones, itself left out; undefined where there is none to tell. */
export function kinshipTo(
  { names, values }: Kinship,
  chosen: ReadonlySet<string>,
): (name: string) => number | undefined {
  const placeOf = new Map(names.map((name, place) => [name, place]));
  const others = [...chosen].flatMap((name) => placeOf.get(name) ?? []);
  return (name) => {
    const row = placeOf.get(name);
    if (row === undefined) return undefined;
    const counted = others.filter((place) => place !== row);
    if (counted.length === 0) return undefined;
    return counted.reduce((sum, place) => sum + (values[row * names.length + place] ?? 0), 0) / counted.length;
  };
}
