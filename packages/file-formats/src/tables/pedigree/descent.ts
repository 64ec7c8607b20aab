import type { GermplasmContent } from '../germplasm/germplasm-table.ts';

/** How an individual descends from its parents, see `PedigreeTable`. */
export interface ParentsAndSelfings<Parent> {
  maternal: Parent | null;
  paternal: Parent | null;
  selfings: number;
}

/**
 * Parents and generations of selfing that a kind of cross means. A doubled haploid is fully inbred; of one known
 * parent it is a gamete of that plant, doubled. The selfed progeny of a plant has this plant as both parents, and its
 * first generation is the cross itself. A clone has the genotype of its one parent. Null when a clone has two parents.
 */
export function descentOf<Parent>(
  maternal: Parent | null,
  paternal: Parent | null,
  { crossType, selfingGenerations }: Pick<GermplasmContent, 'crossType' | 'selfingGenerations'>,
): ParentsAndSelfings<Parent> | null {
  const only = maternal === null || paternal === null || maternal === paternal ? (maternal ?? paternal) : null;
  const ofOne = { maternal: only, paternal: only };
  const generations = selfingGenerations ?? 0;
  switch (crossType) {
    case 'CLONE':
      if (only === null && maternal !== null) return null;
      return only === null ? { ...ofOne, selfings: 0 } : { ...ofOne, selfings: -1 };
    case 'DH':
      return { ...(only === null ? { maternal, paternal } : ofOne), selfings: Number.POSITIVE_INFINITY };
    case 'SELF':
      if (only === null) return { maternal, paternal, selfings: generations };
      return { ...ofOne, selfings: Math.max(0, generations - 1) };
    default:
      return { maternal, paternal, selfings: generations };
  }
}
