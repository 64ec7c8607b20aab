import type { CrossRow } from '@heterosis/contracts/work/crossing-simulations';

/** The parents of a cross with their genetic values, in their order: up to four, and one where a plant is selfed. */
export function parentsOf(cross: CrossRow): { name: string; value: number }[] {
  const all = [
    { name: cross.parent1, value: cross.parent1_value },
    { name: cross.parent2, value: cross.parent2_value },
    { name: cross.parent3, value: cross.parent3_value },
    { name: cross.parent4, value: cross.parent4_value },
  ].flatMap(({ name, value }) => (name == null || value == null ? [] : [{ name, value }]));
  return all.filter(({ name }, k) => all.findIndex((one) => one.name === name) === k);
}

/** What is crossed, as a breeder writes it: `A × B`, `(A × B) × C`, `(A × B) × (C × D)`, or `A` of a single plant. */
export function pedigreeOf({ parent1, parent2, parent3, parent4 }: CrossRow): string {
  if (parent3 === null) return parent1 === parent2 ? parent1 : `${parent1} × ${parent2}`;
  return `(${parent1} × ${parent2}) × ${parent4 === null ? parent3 : `(${parent3} × ${parent4})`}`;
}
