import { alleleCounts, homologAt, type PackedPopulation } from './packed-population.ts';
import {
  columnOf,
  expectedHeterozygosity,
  hybridValues,
  type ProgrammeWorld,
  traitIndex,
  trueValues,
} from './programme-world.ts';
import type { MeasureStage, Statistic } from './scheme.ts';
import { correlationOf, correlationWithin, meanOf, varianceOf } from './statistics.ts';

/** Takes one quantity of one stage; NaN where it does not exist in this replicate. */
export type Recorder = (stage: string, quantity: string, value: number) => void;

/** True index of individuals: Σ weight · genetic value. */
function trueIndex(
  world: ProgrammeWorld,
  population: PackedPopulation,
  weights: Readonly<Record<string, number>>,
): Float64Array {
  const values = new Float64Array(population.size);
  for (const [trait, weight] of Object.entries(weights)) {
    const column = trueValues(world, population, traitIndex(world, trait));
    for (let i = 0; i < values.length; i++) values[i] += weight * column.values[i];
  }
  return values;
}

/** The quantities of a stage, by the definitions in the help. */
export function measurePopulation(
  world: ProgrammeWorld,
  population: PackedPopulation,
  measure: Pick<MeasureStage, 'stage' | 'criterion' | 'trait' | 'report'> & {
    selected?: PackedPopulation | undefined;
    index?: Readonly<Record<string, number>> | undefined;
  },
  record: Recorder,
): void {
  const { stage } = measure;
  const put = (quantity: string, value: number) => record(stage, quantity, value);
  const trait = traitIndex(world, measure.trait);
  const values = world.traits.map((_, t) => trueValues(world, population, t).values);
  for (const [t, value] of values.entries()) put(`mean_gv${t + 1}`, meanOf(value));
  for (const [t, value] of values.entries()) put(`var_gv${t + 1}`, varianceOf(value));
  if (measure.index !== undefined) put('mean_index', meanOf(trueIndex(world, population, measure.index)));
  const counts = alleleCounts(world.genome, population);
  for (const [t, { additive }] of world.traits.entries())
    put(`genic_hwe${t + 1}`, genicVariance(counts, population.size, additive));
  const { fixed, lost } = favourable(counts, population.size, world.traits[trait].additive, world.qtl[trait]);
  put('fav_fixed', fixed);
  put('fav_lost', lost);
  const expected = expectedHeterozygosity(counts, population.size, world.neutral);
  put('he_neutral', expected);
  put('coancestry', 1 - expected / world.founderHeterozygosity);
  put('ho_neutral', observedHeterozygosity(world, population));
  put(
    `max_gv${trait + 1}`,
    values[trait].reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  );
  if (population.ranked) {
    put(`top1_gv${trait + 1}`, values[trait][0]);
    put(`top4_gv${trait + 1}`, meanOf(values[trait].subarray(0, 4)));
  }
  if (measure.criterion !== undefined) {
    const criterion = columnOf(world, population, measure.criterion);
    const about = criterion.trait >= 0 ? criterion.trait : trait;
    const truth =
      criterion.trait < 0 && measure.trait === undefined && measure.index !== undefined
        ? trueIndex(world, population, measure.index)
        : values[about];
    put('accuracy', correlationOf(criterion.values, truth));
  }
  const { selected } = measure;
  if (selected !== undefined) {
    for (const t of world.traits.keys()) put(`selected_gv${t + 1}`, meanOf(trueValues(world, selected, t).values));
  }
  for (const [quantity, statistic] of Object.entries(measure.report ?? {})) {
    put(quantity, statisticOf(world, population, statistic));
  }
}

/** Mean and variance of the hybrids of two populations, and the hybrid of the two individuals that stand first. */
export function measureHybrids(
  world: ProgrammeWorld,
  { females, males }: { females: PackedPopulation; males: PackedPopulation },
  { stage, trait }: Pick<MeasureStage, 'stage' | 'trait'>,
  record: Recorder,
): void {
  const values = hybridValues(world, females, males, traitIndex(world, trait));
  record(stage, 'mean_hybrid', meanOf(values));
  record(stage, 'var_hybrid', varianceOf(values));
  record(stage, 'best_hybrid', values[0]);
}

function statisticOf(world: ProgrammeWorld, population: PackedPopulation, statistic: Statistic): number {
  const valuesOf = (name: string) => columnOf(world, population, name).values;
  if ('correlation' in statistic) {
    const [x, y] = statistic.correlation.map(valuesOf);
    return statistic.within_families === true ? correlationWithin(x, y, population.family) : correlationOf(x, y);
  }
  if ('mean' in statistic) return meanOf(valuesOf(statistic.mean));
  if ('variance' in statistic) return varianceOf(valuesOf(statistic.variance));
  if ('sd' in statistic) return Math.sqrt(varianceOf(valuesOf(statistic.sd)));
  if ('max' in statistic) return valuesOf(statistic.max).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return valuesOf(statistic.min).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

/** Σ 2p(1 − p)a²: additive genic variance in Hardy–Weinberg proportions, half of that of inbred lines. */
function genicVariance(counts: Int32Array, size: number, additive: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < additive.length; j++) {
    const p = counts[j] / (2 * size);
    sum += 2 * p * (1 - p) * additive[j] * additive[j];
  }
  return sum;
}

function favourable(counts: Int32Array, size: number, additive: Float64Array, qtl: Int32Array) {
  let fixed = 0;
  let lost = 0;
  for (const j of qtl) {
    const copies = additive[j] > 0 ? counts[j] : 2 * size - counts[j];
    if (additive[j] === 0) continue;
    if (copies === 2 * size) fixed++;
    if (copies === 0) lost++;
  }
  return { fixed, lost };
}

/** Share of heterozygotes over individuals and neutral loci. */
function observedHeterozygosity({ genome, neutral }: ProgrammeWorld, population: PackedPopulation): number {
  if (population.inbred) return 0;
  const mask = new Uint32Array(genome.words);
  for (const j of neutral) mask[j >>> 5] |= 1 << (j & 31);
  let sum = 0;
  for (let i = 0; i < population.size; i++) {
    const a = homologAt(population, genome, i, false);
    for (let w = 0; w < genome.words; w++) {
      sum += bitCount((population.bits[a + w] ^ population.bits[a + genome.words + w]) & mask[w]);
    }
  }
  return sum / (population.size * neutral.length);
}

/** Number of ones among 32 bits (Warren 2013, Hacker's Delight, figure 5-2). */
function bitCount(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  x = (x + (x >>> 4)) & 0x0f0f0f0f;
  return Math.imul(x, 0x01010101) >>> 24;
}
