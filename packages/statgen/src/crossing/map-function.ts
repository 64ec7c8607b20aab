/**
 * Relates recombination to map distance. `haldane`: crossovers without interference, r = (1 − e^(−2d))/2. `kosambi`:
 * interference that decreases with distance, r = tanh(2d)/2 (Haldane 1919, Kosambi 1943).
 */
export type MapFunction = (typeof MAP_FUNCTIONS)[number];

export const MAP_FUNCTIONS = ['haldane', 'kosambi'] as const;

/** ρ = 1 − 2r of two loci at a distance of d Morgan; 0 for an infinite distance. */
export function linkage(mapFunction: MapFunction, morgan: number): number {
  return mapFunction === 'haldane' ? Math.exp(-2 * morgan) : 2 / (1 + Math.exp(4 * morgan));
}
