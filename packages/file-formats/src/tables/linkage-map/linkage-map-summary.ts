import type { LinkageMap } from './linkage-map.ts';

export interface LinkageMapSummary {
  markers: number;
  /** In order of appearance; length is the last minus the first position, null without positions. */
  chromosomes: { name: string; markers: number; lengthCm: number | null }[];
}

/** Markers and length of each chromosome of a map; markers without a position are counted but add no length. */
export function summarizeMap(map: LinkageMap): LinkageMapSummary {
  const found = new Map<string, { name: string; markers: number; min: number; max: number }>();
  map.chromosome.forEach((name, index) => {
    const chromosome = found.get(name) ?? {
      name,
      markers: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
    };
    found.set(name, chromosome);
    chromosome.markers++;
    const position = map.positionCm[index];
    if (Number.isNaN(position)) return;
    chromosome.min = Math.min(chromosome.min, position);
    chromosome.max = Math.max(chromosome.max, position);
  });
  return {
    markers: map.markerId.length,
    chromosomes: [...found.values()].map(({ name, markers, min, max }) => ({
      name,
      markers,
      lengthCm: max >= min ? max - min : null,
    })),
  };
}

/** A length in cM with two decimals, for messages. */
export function roundedCm(cm: number): number {
  return Math.round(cm * 100) / 100;
}
