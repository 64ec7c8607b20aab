/**
 * Markers in the order of traversal in meiosis. Mapped markers come first, by chromosome and position; unmapped ones
 * come last (`mappedCount … markerCount`) and contribute to means only. Every array of effects or alleles passed to
 * the crossing functions uses this order.
 */
export interface CrossingGenome {
  markerCount: number;
  mappedCount: number;
  /** First marker of each chromosome and, as the last entry, `mappedCount`. */
  chromosomeStart: Int32Array;
  /** Morgan, length `mappedCount`. */
  positionMorgan: Float64Array;
}

/** A genome and the position of its markers in the caller's order. */
export interface OrderedGenome {
  genome: CrossingGenome;
  /** `order[k]` = index in the caller's arrays of marker k of the genome, length `markerCount`. */
  order: Int32Array;
}

const CM_PER_MORGAN = 100;

/**
 * Sorts markers by chromosome (in order of first appearance) and map position.
 *
 * @param chromosome name per marker; two markers are linked only when their names are equal
 * @param positionCm centimorgan per marker, only differences matter; NaN = not on the map. Ties keep the given order.
 * @throws RangeError when the two lengths differ or a position is infinite
 */
export function orderGenome(chromosome: readonly string[], positionCm: Float64Array): OrderedGenome {
  if (chromosome.length !== positionCm.length) {
    throw new RangeError(`${chromosome.length} chromosome names but ${positionCm.length} map positions`);
  }
  const rank = new Map<string, number>();
  const chromosomeRank = new Int32Array(chromosome.length);
  const mapped: number[] = [];
  const unmapped: number[] = [];
  for (let j = 0; j < chromosome.length; j++) {
    const position = positionCm[j];
    if (Number.isNaN(position)) {
      unmapped.push(j);
      continue;
    }
    if (!Number.isFinite(position)) throw new RangeError(`map position of marker ${j} is ${position}`);
    const name = chromosome.at(j) ?? '';
    const known = rank.get(name) ?? rank.size;
    rank.set(name, known);
    chromosomeRank[j] = known;
    mapped.push(j);
  }
  mapped.sort((a, b) => chromosomeRank[a] - chromosomeRank[b] || positionCm[a] - positionCm[b] || a - b);

  const chromosomeStart = new Int32Array(rank.size + 1);
  const positionMorgan = new Float64Array(mapped.length);
  let chromosomeIndex = -1;
  mapped.forEach((j, k) => {
    while (chromosomeIndex < chromosomeRank[j]) chromosomeStart[++chromosomeIndex] = k;
    positionMorgan[k] = positionCm[j] / CM_PER_MORGAN;
  });
  chromosomeStart[rank.size] = mapped.length;
  return {
    genome: { markerCount: chromosome.length, mappedCount: mapped.length, chromosomeStart, positionMorgan },
    order: Int32Array.from([...mapped, ...unmapped]),
  };
}

/** A trait's marker effects, in genome order. */
export interface TraitEffects {
  /** Value at dosage 0 everywhere. */
  intercept: number;
  /** Effect of one copy of the counted allele (A2), length `markerCount`. */
  additive: Float64Array;
  /** Added when the marker is heterozygous, length `markerCount`; null for a purely additive trait. */
  dominance: Float64Array | null;
}

/**
 * A parent's two haplotypes in genome order: 1 = the counted allele (A2), 0 = the other. Missing calls are not
 * allowed.
 */
export interface PhasedParent {
  first: Uint8Array;
  second: Uint8Array;
}

/**
 * One side of a cross: a plant, or two plants whose F1 is crossed (as in three- and four-way crosses). Each progeny
 * then comes from its own F1 plant.
 */
export type CrossSide = PhasedParent | readonly [PhasedParent, PhasedParent];

/** Whether a side is a single plant. */
export function isPlant(side: CrossSide): side is PhasedParent {
  return 'first' in side;
}

/** The plants of a side: one or two. */
export function plantsOf(side: CrossSide): readonly PhasedParent[] {
  return isPlant(side) ? [side] : side;
}

/** Genetic value of a plant from its two haplotypes: intercept + Σ additive·dosage + dominance·[heterozygous]. */
export function geneticValue(effects: TraitEffects, parent: PhasedParent): number {
  const { additive, dominance } = effects;
  const { first, second } = parent;
  let value = effects.intercept;
  for (let j = 0; j < additive.length; j++) {
    value += additive[j] * (first[j] + second[j]);
    if (dominance !== null && first[j] !== second[j]) value += dominance[j];
  }
  return value;
}

/** Throws with both lengths when effects or haplotypes do not match the genome. */
export function requireGenomeLength(
  genome: CrossingGenome,
  effects: readonly TraitEffects[],
  parents: readonly PhasedParent[],
): void {
  for (const [t, trait] of effects.entries()) {
    if (trait.additive.length !== genome.markerCount) {
      throw new RangeError(`trait ${t} has ${trait.additive.length} effects, the genome ${genome.markerCount} markers`);
    }
    if (trait.dominance !== null && trait.dominance.length !== genome.markerCount) {
      throw new RangeError(
        `trait ${t} has ${trait.dominance.length} dominance effects, the genome ${genome.markerCount} markers`,
      );
    }
  }
  for (const [i, parent] of parents.entries()) {
    if (parent.first.length !== genome.markerCount || parent.second.length !== genome.markerCount) {
      throw new RangeError(
        `parent ${i} has ${parent.first.length} and ${parent.second.length} alleles, the genome ${genome.markerCount} markers`,
      );
    }
  }
}
