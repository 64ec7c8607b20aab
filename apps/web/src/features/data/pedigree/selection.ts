import { isRelated, type Kin, lineageOf, parentsOf, reach } from './graph/kin.ts';

/** Which individuals are drawn, and which are chosen among them. */
export interface Selection {
  shown: ReadonlySet<number>;
  /** The last one is the one that the page describes. */
  chosen: readonly number[];
}

/** More at first would be a cloud: the youngest and two generations of ancestors stand for the rest. */
const MOST_AT_FIRST = 5000;
const FIRST_SEEDS = 200;
const FIRST_STEPS = 2;

/** Everybody with relatives, or the youngest and their near ancestors where there are too many. */
export function firstShown(kin: Kin): Set<number> {
  const related = kin.individuals.flatMap((_, i) => (isRelated(kin, i) ? [i] : []));
  if (related.length <= MOST_AT_FIRST) return new Set(related);
  const youngest = related
    .toSorted((a, b) => (kin.individuals[b]?.generation ?? 0) - (kin.individuals[a]?.generation ?? 0))
    .slice(0, FIRST_SEEDS);
  return reach(youngest, (i) => parentsOf(kin, i), FIRST_STEPS);
}

/** With the parents and the progeny of an individual, and itself. */
export const expanded = (kin: Kin, shown: ReadonlySet<number>, i: number): Set<number> =>
  new Set([...shown, i, ...parentsOf(kin, i), ...(kin.progeny[i] ?? [])]);

export const lineage = (kin: Kin, i: number): Set<number> => lineageOf(kin, i);

/** The next individual that an arrow key leads to; undefined when there is none. */
export function neighbour(kin: Kin, i: number, key: string, isShifted: boolean): number | undefined {
  const one = kin.individuals[i];
  if (one === undefined) return undefined;
  if (key === 'ArrowUp')
    return (isShifted ? (one.paternal ?? one.maternal) : (one.maternal ?? one.paternal)) ?? undefined;
  const own = kin.progeny[i] ?? [];
  if (key === 'ArrowDown') return isShifted ? own.at(-1) : own[0];
  const parent = one.maternal ?? one.paternal;
  const siblings = parent === null ? [] : (kin.progeny[parent] ?? []);
  const at = siblings.indexOf(i);
  if (key === 'ArrowRight') return siblings[at + 1];
  if (key === 'ArrowLeft') return at > 0 ? siblings[at - 1] : undefined;
  return undefined;
}
