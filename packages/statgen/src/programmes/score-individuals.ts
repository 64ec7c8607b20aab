import { StatgenError } from '../statgen-error.ts';
import { alleleAt, lociOfKind, type PackedGenome } from './packed-genome.ts';
import { homologAt, type PackedPopulation } from './packed-population.ts';
import { modelOf, populationOf, type StageRun } from './programme-state.ts';
import { hybridValues, rowMeans, traitIndex, trueValues } from './programme-world.ts';
import type { ScoreStage } from './scheme.ts';
import type { TrainedProgrammeModel } from './train-on-records.ts';

/** Gives every individual of a population a number that no trial measures. @throws StatgenError `bad-option` */
export function scoreIndividuals(stage: ScoreStage, { state, random }: StageRun): void {
  const { world } = state;
  const population = populationOf(state, stage.population);
  const set = (values: Float64Array, trait = -1) =>
    population.columns.set(stage.as, { values, trait, errorVariance: Number.NaN });
  const like = () => populationOf(state, needed(stage, 'like'));
  const told = () => ({ like: like(), unlike: populationOf(state, needed(stage, 'unlike')) });
  const trait = traitIndex(world, stage.trait);
  switch (stage.kind) {
    case 'value':
      set(trueValues(world, population, trait).values.slice(), trait);
      return;
    case 'hybrid': {
      const others = populationOf(state, needed(stage, 'with'));
      set(rowMeans(hybridValues(world, population, others, trait), others.size), trait);
      return;
    }
    case 'share': {
      const { chromosomes } = stage;
      const ofKind = stage.locus_kind === undefined ? undefined : lociOfKind(world.genome, stage.locus_kind);
      const loci = (ofKind ?? Int32Array.from(world.genome.loci.keys())).filter(
        (j) => chromosomes === undefined || chromosomes.includes(world.genome.chromosome[j]),
      );
      set(shareOf(world.genome, population, told(), loci));
      return;
    }
    case 'copies':
      set(copiesOf(world.genome, population, like(), placesOf(world.genome, needed(stage, 'loci'))));
      return;
    case 'segment':
      set(segmentOf(world.genome, population, told(), placesOf(world.genome, needed(stage, 'loci'))[0]));
      return;
    case 'ohv': {
      const model = modelOf(state, needed(stage, 'model'));
      set(optimalHaploidValues(world.genome, population, model, stage.blocks ?? BLOCKS), model.trait);
      return;
    }
    default:
      set(Float64Array.from({ length: population.size }, () => random.uniform()));
  }
}

function needed<Field extends 'like' | 'unlike' | 'with' | 'loci' | 'model'>(
  stage: ScoreStage,
  field: Field,
): NonNullable<ScoreStage[Field]> {
  const value = stage[field];
  if (value === undefined) throw new StatgenError('bad-option', `the score "${stage.kind}" needs "${field}"`);
  return value;
}

function placesOf({ loci }: PackedGenome, names: readonly string[]): number[] {
  return names.map((name) => {
    const place = loci.indexOf(name);
    if (place < 0) throw new StatgenError('bad-option', `there is no locus "${name}" on the map`);
    return place;
  });
}

/** Two parents that loci tell apart, each the first individual of its population. */
interface Told {
  like: PackedPopulation;
  unlike: PackedPopulation;
}

/** Share of the alleles of `like` at the loci where it differs from `unlike`. */
function shareOf(
  genome: PackedGenome,
  population: PackedPopulation,
  { like, unlike }: Told,
  among: Int32Array,
): Float64Array {
  const loci = among.filter((j) => alleleAt(like.bits, 0, j) !== alleleAt(unlike.bits, 0, j));
  return copiesOf(genome, population, like, loci).map((copies) => copies / (2 * loci.length));
}

function copiesOf(
  genome: PackedGenome,
  population: PackedPopulation,
  like: PackedPopulation,
  loci: ArrayLike<number>,
): Float64Array {
  return Float64Array.from({ length: population.size }, (_, i) => {
    const a = homologAt(population, genome, i, false);
    const b = homologAt(population, genome, i, true);
    let copies = 0;
    for (let k = 0; k < loci.length; k++) {
      const wanted = alleleAt(like.bits, 0, loci[k]);
      copies += Number(alleleAt(population.bits, a, loci[k]) === wanted);
      copies += Number(alleleAt(population.bits, b, loci[k]) === wanted);
    }
    return copies;
  });
}

/**
 * cM around a locus, from the first to the last locus in a row that has an allele of `like` on either homolog, among
 * the loci that tell `like` from `unlike`; 0 where the plant does not carry it at the locus itself.
 */
function segmentOf(
  genome: PackedGenome,
  population: PackedPopulation,
  { like, unlike }: Told,
  locus: number,
): Float64Array {
  const { chromosomeStart, positionMorgan } = genome.genome;
  const chromosome = chromosomeStart.findIndex((_, c) => locus < chromosomeStart[c + 1]);
  const differs = (j: number) => j === locus || alleleAt(like.bits, 0, j) !== alleleAt(unlike.bits, 0, j);
  return Float64Array.from({ length: population.size }, (_, i) => {
    const homologs = [false, true].map((second) => homologAt(population, genome, i, second));
    const carries = (j: number) =>
      homologs.some((at) => alleleAt(population.bits, at, j) === alleleAt(like.bits, 0, j));
    if (!carries(locus)) return 0;
    let first = locus;
    for (let j = locus; j >= chromosomeStart[chromosome]; j--) {
      if (!differs(j)) continue;
      if (!carries(j)) break;
      first = j;
    }
    let last = locus;
    for (let j = locus; j < chromosomeStart[chromosome + 1]; j++) {
      if (!differs(j)) continue;
      if (!carries(j)) break;
      last = j;
    }
    return 100 * (positionMorgan[last] - positionMorgan[first]);
  });
}

/** Blocks a chromosome, unless a stage says another number. */
const BLOCKS = 2;

/**
 * Optimal haploid value (Daetwyler et al. 2015): the DH line with the better homolog of the plant in each block, blocks
 * of equal length in cM.
 */
function optimalHaploidValues(
  genome: PackedGenome,
  population: PackedPopulation,
  { effects, intercept }: Pick<TrainedProgrammeModel, 'effects' | 'intercept'>,
  blocks: number,
): Float64Array {
  const block = blocksOf(genome, blocks);
  const sums = [0, 1].map(() => new Float64Array(blocks * (genome.genome.chromosomeStart.length - 1)));
  return Float64Array.from({ length: population.size }, (_, i) => {
    for (const [second, values] of sums.entries()) {
      const at = homologAt(population, genome, i, second === 1);
      values.fill(0);
      for (let j = 0; j < effects.length; j++) values[block[j]] += effects[j] * alleleAt(population.bits, at, j);
    }
    const [first, second] = sums;
    return first.reduce((sum, value, k) => sum + 2 * Math.max(value, second[k]), intercept);
  });
}

/** Block of each locus, numbered along the genome. */
function blocksOf({ genome }: PackedGenome, blocks: number): Int32Array {
  const { chromosomeStart, positionMorgan } = genome;
  const block = new Int32Array(positionMorgan.length);
  for (let c = 0; c + 1 < chromosomeStart.length; c++) {
    const first = positionMorgan[chromosomeStart[c]];
    const length = positionMorgan[chromosomeStart[c + 1] - 1] - first;
    for (let j = chromosomeStart[c]; j < chromosomeStart[c + 1]; j++) {
      const share = length > 0 ? (positionMorgan[j] - first) / length : 0;
      block[j] = c * blocks + Math.min(blocks - 1, Math.floor(share * blocks));
    }
  }
  return block;
}
