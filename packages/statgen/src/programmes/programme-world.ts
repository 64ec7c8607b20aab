import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply, multiplyVector } from '@heterosis/linalg/products';
import { StatgenError } from '../statgen-error.ts';
import { alleleAt, lociOfKind, type PackedGenome } from './packed-genome.ts';
import { alleleCounts, type Column, homologAt, type PackedPopulation } from './packed-population.ts';
import { createValueTable, differenceValue, haplotypeValues, type ValueTable } from './value-table.ts';

/** True effects of a trait, by locus in genome order. */
export interface TrueTrait {
  name: string;
  /** Value with allele 0 everywhere. */
  intercept: number;
  /** Of one copy of allele 1. */
  additive: Float64Array;
  /** Added where a plant is heterozygous; null for an additive trait. */
  dominance: Float64Array | null;
}

/** What one replicate knows besides its populations: the truth, and what its quantities refer to. */
export interface ProgrammeWorld {
  genome: PackedGenome;
  traits: readonly TrueTrait[];
  additive: readonly ValueTable[];
  dominance: readonly (ValueTable | null)[];
  chip: Int32Array;
  neutral: Int32Array;
  /** Loci of kind qtl, or those with an effect on the trait where the map names none. */
  qtl: readonly Int32Array[];
  /** Expected heterozygosity of the founders at neutral loci. */
  founderHeterozygosity: number;
  /** The same at chip loci. */
  founderChipHeterozygosity: number;
}

export function createWorld(
  genome: PackedGenome,
  founders: PackedPopulation,
  traits: readonly TrueTrait[],
): ProgrammeWorld {
  const neutral = lociOfKind(genome, 'neutral');
  const chip = lociOfKind(genome, 'chip');
  const counts = alleleCounts(genome, founders);
  return {
    genome,
    traits,
    additive: traits.map((trait) => createValueTable(genome, trait.additive)),
    dominance: traits.map(({ dominance }) => (dominance === null ? null : createValueTable(genome, dominance))),
    chip,
    neutral,
    qtl: traits.map(({ additive }) =>
      genome.kind.includes('qtl')
        ? lociOfKind(genome, 'qtl')
        : Int32Array.from(additive.keys()).filter((j) => additive[j] !== 0),
    ),
    founderHeterozygosity: expectedHeterozygosity(counts, founders.size, neutral),
    founderChipHeterozygosity: expectedHeterozygosity(counts, founders.size, chip),
  };
}

/** Mean of 2p(1 − p) over loci. */
export function expectedHeterozygosity(counts: Int32Array, size: number, loci: Int32Array): number {
  let sum = 0;
  for (const j of loci) {
    const p = counts[j] / (2 * size);
    sum += 2 * p * (1 - p);
  }
  return sum / loci.length;
}

/** Index of a trait; the first when none is named. */
export function traitIndex({ traits }: ProgrammeWorld, name: string | undefined): number {
  if (name === undefined) return 0;
  const found = traits.findIndex((trait) => trait.name === name);
  if (found >= 0) return found;
  const known = traits.map((trait) => trait.name).join(', ');
  throw new StatgenError('bad-option', `there is no trait "${name}"; the effects have ${known}`);
}

/** A column by name; gv1, gv2 … are the true genetic values of the traits in their order. */
export function columnOf(world: ProgrammeWorld, population: PackedPopulation, name: string): Column {
  const known = population.columns.get(name);
  if (known !== undefined) return known;
  const trait = /^gv(\d+)$/.exec(name);
  const index = trait === null ? -1 : Number(trait[1]) - 1;
  if (index >= 0 && index < world.traits.length) return trueValues(world, population, index);
  const columns = [...population.columns.keys()].join(', ') || 'none';
  throw new StatgenError('bad-option', `the population has no column "${name}"; it has ${columns}`);
}

/** True genetic values, computed once. */
export function trueValues(world: ProgrammeWorld, population: PackedPopulation, trait: number): Column {
  const name = `gv${trait + 1}`;
  const known = population.columns.get(name);
  if (known !== undefined) return known;
  const { genome } = world;
  const dominance = world.dominance[trait];
  const values = valuesOf(genome, population, world.additive[trait], world.traits[trait].intercept);
  if (dominance !== null && !population.inbred) {
    for (let i = 0; i < population.size; i++) {
      const a = 4 * homologAt(population, genome, i, false);
      values[i] += differenceValue(dominance, population.bytes, a, a + 4 * genome.words);
    }
  }
  const column = { values, trait, errorVariance: Number.NaN };
  population.columns.set(name, column);
  return column;
}

/** Additive values: intercept + Σ effect · copies. */
export function valuesOf(
  genome: PackedGenome,
  population: PackedPopulation,
  table: ValueTable,
  intercept: number,
): Float64Array {
  const { bytes, inbred, size } = population;
  const rows = inbred ? size : 2 * size;
  const sums = haplotypeValues(table, bytes, { rows, stride: 4 * genome.words });
  const values = new Float64Array(size);
  for (let i = 0; i < size; i++) values[i] = intercept + (inbred ? 2 * sums[i] : sums[2 * i] + sums[2 * i + 1]);
  return values;
}

/**
 * Expected true values of the hybrids of all pairs, females × males, row by row; exact for lines, and for plants the
 * mean of their progeny.
 */
export function hybridValues(
  world: ProgrammeWorld,
  females: PackedPopulation,
  males: PackedPopulation,
  trait: number,
): Float64Array {
  const { genome } = world;
  const { intercept, dominance } = world.traits[trait];
  const [f, m] = [females, males].map((side) => valuesOf(genome, side, world.additive[trait], 0));
  const values = new Float64Array(females.size * males.size);
  for (let i = 0; i < females.size; i++) {
    for (let k = 0; k < males.size; k++) values[i * males.size + k] = intercept + (f[i] + m[k]) / 2;
  }
  if (dominance === null) return values;
  // Gametes with allele means p and q differ with probability p + q − 2pq.
  const loci = Int32Array.from(dominance.keys()).filter((j) => dominance[j] !== 0);
  const [p, q] = [females, males].map((side) => gameteMeans(genome, side, loci));
  const effects = Float64Array.from(loci, (j) => dominance[j]);
  const [sumP, sumQ] = [p, q].map((means) => multiplyVector(means, effects, { transposeA: true }));
  const weighted = matrixOf(
    loci.length,
    females.size,
    p.data.map((mean, k) => mean * effects[k % loci.length]),
  );
  const both = multiply(q, weighted, { transposeA: true });
  for (let i = 0; i < females.size; i++) {
    for (let k = 0; k < males.size; k++) {
      const at = i * males.size + k;
      values[at] += sumP[i] + sumQ[k] - 2 * both.data[at];
    }
  }
  return values;
}

/** Mean allele of the gametes of each individual, loci × individuals. */
function gameteMeans(genome: PackedGenome, side: PackedPopulation, loci: Int32Array): Matrix {
  const means = createMatrix(loci.length, side.size);
  for (let i = 0; i < side.size; i++) {
    const a = homologAt(side, genome, i, false);
    const b = homologAt(side, genome, i, true);
    for (let k = 0; k < loci.length; k++) {
      means.data[i * loci.length + k] = (alleleAt(side.bits, a, loci[k]) + alleleAt(side.bits, b, loci[k])) / 2;
    }
  }
  return means;
}

/** Mean of each row of a table of `columns` columns. */
export function rowMeans(values: Float64Array, columns: number): Float64Array {
  const means = new Float64Array(values.length / columns);
  for (let i = 0; i < values.length; i++) means[Math.floor(i / columns)] += values[i] / columns;
  return means;
}
