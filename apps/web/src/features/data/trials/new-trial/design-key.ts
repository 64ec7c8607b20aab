import type { DesignName, DesignRequest } from '@heterosis/statgen/designs/design-types';

/** What single designs read of a request, beside what all read. */
const READ_BY: Record<string, readonly DesignName[]> = {
  resolvable: ['row-column'],
  mainPlots: ['split-plot'],
  blockSize: ['alpha', 'augmented', 'sparse'],
  varianceRatio: ['sparse'],
  criterion: ['sparse'],
  placeModel: ['sparse'],
};

/** Names what a map follows from: requests with the same key have the same map. Entries are told apart by position. */
export function designKey({ entries, checks, ...asked }: DesignRequest): string {
  const at = new Map(entries.map(({ name }, place) => [name, place]));
  const read = Object.entries(asked).filter(([name]) => READ_BY[name]?.includes(asked.design) ?? true);
  return JSON.stringify([
    read,
    entries.map(({ replicates = 0, family = '' }) => [replicates, family]),
    checks.map((name) => at.get(name) ?? -1),
  ]);
}
