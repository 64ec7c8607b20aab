import type { ChartColors } from '@heterosis/charts/chart-colors';
import type { PedigreeIndividual } from '@heterosis/contracts/data/pedigree';

export interface Coloring {
  fillOf: (i: number) => string;
  /** Names of colours for the legend; the ends of a scale for numbers. */
  legend: { label: string; color: string }[];
}

/** Collections with a colour of their own; the others share grey. */
const MOST_COLLECTIONS = 7;
/** Five steps of viridis, light to dark: told apart without colour vision, too. */
const SCALE = ['#fde725', '#5ec962', '#21918c', '#3b528b', '#440154'];

export function colorByCollection(
  individuals: readonly PedigreeIndividual[],
  colors: ChartColors,
  words: { other: string; none: string },
): Coloring {
  const counts = new Map<string, number>();
  for (const { collection } of individuals) {
    if (collection !== null) counts.set(collection, (counts.get(collection) ?? 0) + 1);
  }
  const largest = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_COLLECTIONS);
  const colorOf = new Map(largest.map(([name], k) => [name, colors.series[k] ?? '#888888']));
  const other = colors.dark ? '#8a8a87' : '#9a9a97';
  const none = colors.dark ? '#4a4a47' : '#d5d5d2';
  return {
    fillOf: (i) => {
      const collection = individuals[i]?.collection ?? null;
      return collection === null ? none : (colorOf.get(collection) ?? other);
    },
    legend: [
      ...[...colorOf].map(([label, color]) => ({ label, color })),
      ...(counts.size > largest.length ? [{ label: words.other, color: other }] : []),
      { label: words.none, color: none },
    ],
  };
}

/** Numbers on a scale between their smallest and largest; grey where there is none. */
export function colorByNumber(
  valueOf: (i: number) => number | null,
  count: number,
  colors: ChartColors,
  words: { none: string; format: (value: number) => string },
  range?: { min: number; max: number },
): Coloring {
  let [min, max] = [range?.min ?? Infinity, range?.max ?? -Infinity];
  if (range === undefined) {
    for (let i = 0; i < count; i++) {
      const value = valueOf(i);
      if (value === null) continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  const none = colors.dark ? '#4a4a47' : '#d5d5d2';
  const steps = SCALE.length - 1;
  const fill = (value: number): string => {
    const share = max > min ? (value - min) / (max - min) : 0;
    const at = Math.min(steps - 1, Math.floor(share * steps));
    return mixed(SCALE[at] ?? none, SCALE[at + 1] ?? none, share * steps - at);
  };
  return {
    fillOf: (i) => {
      const value = valueOf(i);
      return value === null ? none : fill(value);
    },
    legend: [
      ...(max >= min
        ? [0, 0.5, 1].map((share) => {
            const value = min + share * (max - min);
            return { label: words.format(value), color: fill(value) };
          })
        : []),
      { label: words.none, color: none },
    ],
  };
}

function mixed(from: string, to: string, share: number): string {
  const [a, b] = [Number.parseInt(from.slice(1), 16), Number.parseInt(to.slice(1), 16)];
  const channel = (shift: number): number =>
    Math.round(((a >> shift) & 255) * (1 - share) + ((b >> shift) & 255) * share);
  return `#${((channel(16) << 16) | (channel(8) << 8) | channel(0)).toString(16).padStart(6, '0')}`;
}
