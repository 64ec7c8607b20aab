import type { RandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { lociOfKind, type PackedGenome } from './packed-genome.ts';
import { alleleCounts, type PackedPopulation } from './packed-population.ts';
import { createWorld, type TrueTrait, trueValues } from './programme-world.ts';
import { meanOf, varianceOf } from './statistics.ts';

/** What a trait is made of where nothing has been estimated. */
export interface TraitArchitecture {
  trait: string;
  qtl: number;
  /** Distribution of the effects of QTL; equal ones differ by sign. */
  effects: 'normal' | 'laplace' | 'equal';
  /** Mean and genetic variance (denominator n) of the founders. */
  mean: number;
  variance: number;
  /** A heterozygous QTL of effect a adds this times |a|. */
  dominance: number;
}

/**
 * QTL drawn among the loci of kind qtl (all where the map names no kinds) that vary in the founders, with effects that
 * give the founders their mean and variance.
 *
 * @throws StatgenError `bad-option` where fewer loci vary than there are QTL, or all founders have one value
 */
export function drawArchitecture(
  genome: PackedGenome,
  founders: PackedPopulation,
  { trait, qtl, effects, mean, variance, dominance }: TraitArchitecture,
  random: RandomStream,
): TrueTrait {
  const counts = alleleCounts(genome, founders);
  const named = lociOfKind(genome, 'qtl');
  const varying = named.filter((j) => counts[j] > 0 && counts[j] < 2 * founders.size);
  if (varying.length < qtl) {
    throw new StatgenError('bad-option', `${trait} has ${qtl} QTL, and ${varying.length} loci vary in the founders`);
  }
  const chosen = random.shuffle(varying).subarray(0, qtl);
  const additive = new Float64Array(genome.loci.length);
  const degree = new Float64Array(genome.loci.length);
  for (const j of chosen) {
    const effect = drawEffect(effects, random);
    additive[j] = effect;
    degree[j] = dominance * Math.abs(effect);
  }
  const drawn = { name: trait, intercept: 0, additive, dominance: dominance === 0 ? null : degree };
  const world = createWorld(genome, founders, [drawn]);
  const values = trueValues(world, { ...founders, columns: new Map() }, 0).values;
  const found = varianceOf(values);
  if (!(found > 0)) throw new StatgenError('bad-option', `all founders have one value of ${trait}`);
  const scale = Math.sqrt(variance / found);
  return {
    ...drawn,
    intercept: mean - scale * meanOf(values),
    additive: additive.map((effect) => scale * effect),
    dominance: drawn.dominance === null ? null : degree.map((effect) => scale * effect),
  };
}

function drawEffect(effects: TraitArchitecture['effects'], random: RandomStream): number {
  if (effects === 'normal') return random.normal();
  const sign = random.uniform() < 0.5 ? -1 : 1;
  // 1 − u is never zero.
  return effects === 'equal' ? sign : -sign * Math.log(1 - random.uniform());
}
