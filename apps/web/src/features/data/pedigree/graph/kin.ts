import type { PedigreeIndividual } from '@heterosis/contracts/data/pedigree';

/** A pedigree by position, with the way back from parents to progeny. */
export interface Kin {
  individuals: readonly PedigreeIndividual[];
  /** Positions of the progeny of each individual. */
  progeny: readonly (readonly number[])[];
}

export function kinOf(individuals: readonly PedigreeIndividual[]): Kin {
  const progeny: number[][] = individuals.map(() => []);
  for (const [child, { maternal, paternal }] of individuals.entries()) {
    if (maternal !== null) progeny[maternal]?.push(child);
    if (paternal !== null && paternal !== maternal) progeny[paternal]?.push(child);
  }
  return { individuals, progeny };
}

/** Known parents, each once. */
export function parentsOf({ individuals }: Kin, i: number): number[] {
  const { maternal, paternal } = individuals[i] ?? { maternal: null, paternal: null };
  return [...new Set([maternal, paternal])].filter((parent) => parent !== null);
}

export const isRelated = (kin: Kin, i: number): boolean =>
  parentsOf(kin, i).length > 0 || (kin.progeny[i]?.length ?? 0) > 0;

/** Everyone reached from some individuals by steps, themselves included. */
export function reach(from: Iterable<number>, next: (i: number) => readonly number[], steps = Infinity): Set<number> {
  const found = new Set(from);
  let edge = [...found];
  for (let step = 0; step < steps && edge.length > 0; step++) {
    const further: number[] = [];
    for (const i of edge) {
      for (const j of next(i)) {
        if (found.has(j)) continue;
        found.add(j);
        further.push(j);
      }
    }
    edge = further;
  }
  return found;
}

/** Ancestors and descendants of an individual, itself included. */
export function lineageOf(kin: Kin, i: number): Set<number> {
  const up = reach([i], (one) => parentsOf(kin, one));
  return new Set([...up, ...reach([i], (one) => kin.progeny[one] ?? [])]);
}

/** How a parent contributes, which decides how its line is drawn. */
export type LineKind = 'female' | 'male' | 'selfed' | 'clone' | 'recurrent';

/** The lines from the known parents to an individual. */
export function linesTo(kin: Kin, child: number): { parent: number; kind: LineKind }[] {
  const one = kin.individuals[child];
  if (one === undefined) return [];
  const { maternal, paternal, cross_type } = one;
  if (maternal !== null && maternal === paternal) {
    return [{ parent: maternal, kind: cross_type === 'CLONE' ? 'clone' : 'selfed' }];
  }
  const recurs = (parent: number, other: number | null): boolean =>
    other !== null && parentsOf(kin, other).includes(parent);
  return [
    ...(maternal === null
      ? []
      : [{ parent: maternal, kind: recurs(maternal, paternal) ? ('recurrent' as const) : ('female' as const) }]),
    ...(paternal === null
      ? []
      : [{ parent: paternal, kind: recurs(paternal, maternal) ? ('recurrent' as const) : ('male' as const) }]),
  ];
}
