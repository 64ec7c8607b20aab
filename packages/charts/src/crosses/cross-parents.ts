import type { CrossRow } from '@heterosis/contracts/work/crossing-simulations';

/** The two to four parents of a cross with their genetic values, in their order. */
export function parentsOf(cross: CrossRow): { name: string; value: number }[] {
  return [
    { name: cross.parent1, value: cross.parent1_value },
    { name: cross.parent2, value: cross.parent2_value },
    { name: cross.parent3, value: cross.parent3_value },
    { name: cross.parent4, value: cross.parent4_value },
  ].flatMap(({ name, value }) => (name == null || value == null ? [] : [{ name, value }]));
}

/** What is crossed, as a breeder writes it: `A × B`, `(A × B) × C` or `(A × B) × (C × D)`. */
export function pedigreeOf({ parent1, parent2, parent3, parent4 }: CrossRow): string {
  if (parent3 === null) return `${parent1} × ${parent2}`;
  return `(${parent1} × ${parent2}) × ${parent4 === null ? parent3 : `(${parent3} × ${parent4})`}`;
}
