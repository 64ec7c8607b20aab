import type { CrossingGenome, TraitEffects } from './crossing-genome.ts';
import type { Homolog } from './meiosis.ts';

/** Prefix sums of `copies` × additive effect along each parental haplotype, (mappedCount + 1) × T each. */
export function haplotypeTables(
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  haplotypes: readonly Uint8Array[],
  copies: number,
): Float64Array[] {
  return haplotypes.map((haplotype) =>
    prefixSums(genome, effects, (trait, j) => copies * haplotype[j] * trait.additive[j]),
  );
}

/** Prefix sums of the genotypic value for every pair of n parental haplotypes, at index n·origin + origin. */
export function pairTables(
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  haplotypes: readonly Uint8Array[],
): Float64Array[] {
  const tables: Float64Array[] = [];
  for (const [i, u] of haplotypes.entries()) {
    for (const [k, v] of haplotypes.entries()) {
      const mirrored = tables.at(k * haplotypes.length + i);
      tables[i * haplotypes.length + k] =
        k < i && mirrored !== undefined
          ? mirrored
          : prefixSums(genome, effects, (trait, j) => {
              const heterozygote = u[j] !== v[j] && trait.dominance !== null ? trait.dominance[j] : 0;
              return trait.additive[j] * (u[j] + v[j]) + heterozygote;
            });
    }
  }
  return tables;
}

function prefixSums(
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  value: (trait: TraitEffects, marker: number) => number,
): Float64Array {
  const traits = effects.length;
  const sums = new Float64Array((genome.mappedCount + 1) * traits);
  for (const [t, trait] of effects.entries()) {
    for (let j = 0; j < genome.mappedCount; j++) sums[(j + 1) * traits + t] = sums[j * traits + t] + value(trait, j);
  }
  return sums;
}

/** Prefix sums of values, by haplotype or by pair of haplotypes. */
export interface SegmentTables {
  tables: readonly Float64Array[];
  /** Number of parental haplotypes. */
  haplotypes: number;
  traits: number;
  /** Index after the last marker. */
  end: number;
}

/** Adds the values of a homolog to those at `at`. */
export function addHomologValue(
  homolog: Homolog,
  { tables, traits, end }: SegmentTables,
  values: Float64Array,
  at: number,
): void {
  for (let s = 0; s < homolog.count; s++) {
    const table = tables[homolog.origin[s]];
    const from = homolog.start[s] * traits;
    const to = (s + 1 < homolog.count ? homolog.start[s + 1] : end) * traits;
    for (let t = 0; t < traits; t++) values[at + t] += table[to + t] - table[from + t];
  }
}

/** Adds the values of two homologs together to those at `at`. */
export function addPairValue(
  [a, b]: readonly [Homolog, Homolog],
  { tables, haplotypes, traits, end }: SegmentTables,
  values: Float64Array,
  at: number,
): void {
  let from = 0;
  let s = 0;
  let r = 0;
  while (from < end) {
    const endA = s + 1 < a.count ? a.start[s + 1] : end;
    const endB = r + 1 < b.count ? b.start[r + 1] : end;
    const to = Math.min(endA, endB);
    const table = tables[a.origin[s] * haplotypes + b.origin[r]];
    for (let t = 0; t < traits; t++) values[at + t] += table[to * traits + t] - table[from * traits + t];
    if (endA === to) s++;
    if (endB === to) r++;
    from = to;
  }
}
