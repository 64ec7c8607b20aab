import { createRandomStream } from '../random/random-stream.ts';
import { gameteOf, type Plant, phaseDraw, plantsFor, recombination, type StackLoci, transmission } from './gametes.ts';

/** How all targets become homozygous: selfing to the end, or doubled haploids of the last plant. */
export type Ending = 'dh' | 'selfing';

/** A number of plants that fixes all targets. */
export interface FixationSize {
  /** Plants of each generation. */
  plants: number;
  /** Probability that a plant with all targets fixed is found. */
  probability: number;
  /** Standard error of the probability; 0 where it is exact. */
  se: number;
}

/** Segregating loci up to which every genotype is followed. */
const MAX_EXACT_LOCI = 6;

interface FixationTask {
  loci: StackLoci;
  plant: Plant;
  ending: Ending;
  /** Generations, with the doubled haploids or the last selfing. */
  generations: number;
}

/**
 * The smallest number of plants of each generation with which all favourable alleles of the plant are fixed with the
 * assurance; one plant is kept in each generation.
 *
 * One generation: ln(1 − assurance)/ln(1 − P), P = the transmission of the plant for doubled haploids and its square
 * for selfing. More: with up to {@link MAX_EXACT_LOCI} segregating loci exactly, by keeping the plant from which
 * fixation is likeliest (backward induction over all genotypes); beyond by simulation, keeping among plants that have
 * lost nothing the one whose gametes carry everything most often.
 *
 * @returns null where no number up to the limit of the method is enough
 */
export function fixationSize(
  task: FixationTask,
  assurance: number,
  { seed, replicates }: { seed: number; replicates: number },
): FixationSize | null {
  const kept = segregatingOf(task);
  if (kept.loci.morgan.length === 0) return { plants: 1, probability: 1, se: 0 };
  const p = transmission(kept.loci, kept.plant);
  if (p === 0) return null;
  if (task.generations === 1) {
    const once = task.ending === 'dh' ? p : p * p;
    const plants = plantsFor(once, assurance);
    if (!Number.isFinite(plants)) return null;
    return { plants, probability: -Math.expm1(plants * Math.log1p(-once)), se: 0 };
  }
  // From the second generation on a plant that keeps everything is enough.
  const fewest = plantsFor(keepsAll(kept.loci, kept.plant), assurance);
  if (kept.loci.morgan.length <= MAX_EXACT_LOCI) {
    const exact = exactFixation(kept);
    const limits = { fewest, most: MOST_EXACT_PLANTS, step: 0 };
    return smallest(limits, (plants) => ({ probability: exact(plants), se: 0 }), assurance);
  }
  const most = MOST_DRAWS / (task.generations * FEWEST_REPLICATES);
  const drawn = (plants: number) => {
    const affordable = Math.floor(MOST_DRAWS / (task.generations * plants));
    return simulateFixation(kept, plants, { seed, replicates: Math.min(replicates, affordable), enough: assurance });
  };
  return smallest({ fewest, most, step: SIMULATED_STEP }, drawn, assurance);
}

const MOST_EXACT_PLANTS = 1e6;
/** Plants that are drawn for one number at most, some seconds, and with how few replicates rather than none. */
const MOST_DRAWS = 5e6;
const FEWEST_REPLICATES = 100;
/** Simulated numbers are found to this share: their error is larger. */
const SIMULATED_STEP = 0.01;

function smallest(
  { fewest, most, step }: { fewest: number; most: number; step: number },
  probabilityOf: (plants: number) => Omit<FixationSize, 'plants'>,
  assurance: number,
): FixationSize | null {
  let low = fewest - 1;
  let high = fewest;
  if (high > most) return null;
  let found = { plants: high, ...probabilityOf(high) };
  while (found.probability < assurance) {
    low = high;
    high = Math.ceil(high * 1.5);
    if (high > most) return null;
    found = { plants: high, ...probabilityOf(high) };
  }
  while (high - low > Math.max(1, step * high)) {
    const middle = Math.floor((low + high) / 2);
    const tried = { plants: middle, ...probabilityOf(middle) };
    if (tried.probability < assurance) low = middle;
    else {
      high = middle;
      found = tried;
    }
  }
  return found;
}

/** The loci that segregate in the plant, and the plant at them. */
function segregatingOf(task: FixationTask): FixationTask {
  const [first, second] = task.plant;
  const at = Array.from(task.loci.morgan.keys()).filter((i) => (((first ^ second) >>> i) & 1) === 1);
  const bits = (haplotype: number) => at.reduce((sum, i, k) => sum | (((haplotype >>> i) & 1) << k), 0);
  return {
    ...task,
    loci: { chromosome: at.map((i) => task.loci.chromosome[i]), morgan: at.map((i) => task.loci.morgan[i]) },
    plant: [bits(first), bits(second)],
  };
}

/** Probability that a selfed plant has each favourable allele at least once: a Markov chain over pairs of phases. */
function keepsAll(loci: StackLoci, [first]: Plant): number {
  let state = [0.25, 0.25, 0.25, 0.25];
  for (let i = 0; i < loci.morgan.length; i++) {
    if (i > 0) {
      const r = recombination(loci, i - 1, i);
      const moved = (from: number, to: number) =>
        (from ^ to) === 0 ? (1 - r) ** 2 : (from ^ to) === 3 ? r ** 2 : r * (1 - r);
      state = state.map((_, to) => state.reduce((sum, p, from) => sum + p * moved(from, to), 0));
    }
    // Both gametes from the haplotype without the allele: 3 = both from the second, 0 = both from the first.
    state[((first >>> i) & 1) === 1 ? 3 : 0] = 0;
  }
  return state.reduce((sum, p) => sum + p, 0);
}

/**
 * Probability of fixation as a function of the number of plants. A plant that has lost an allele is worth nothing;
 * V₀ = 1 for the fixed plant, and V_g of a plant is the mean of the largest V_{g−1} among its N progeny: with values in
 * ascending order and F their distribution, Σ v_j (F_j^N − F_{j−1}^N).
 */
function exactFixation({ loci, plant, ending, generations }: FixationTask): (plants: number) => number {
  const all = 2 ** loci.morgan.length - 1;
  const states: Plant[] = [];
  const indexOf = new Int32Array((all + 1) ** 2).fill(-1);
  for (let a = 0; a <= all; a++) {
    for (let b = 0; b <= a; b++) {
      if ((a | b) !== all) continue;
      indexOf[a * (all + 1) + b] = indexOf[b * (all + 1) + a] = states.length;
      states.push([a, b]);
    }
  }
  const selfed = states.map((state) => {
    const gametes = gameteProbabilities(loci, state);
    const row = new Float64Array(states.length);
    for (let a = 0; a <= all; a++) {
      if (gametes[a] === 0) continue;
      for (let b = 0; b <= all; b++) if ((a | b) === all) row[indexOf[a * (all + 1) + b]] += gametes[a] * gametes[b];
    }
    return row;
  });
  const passes = states.map((state) => transmission(loci, state));
  const start = indexOf[plant[0] * (all + 1) + plant[1]];
  return (plants) => {
    let values = Float64Array.from(passes, (p) =>
      p === 1 ? 1 : -Math.expm1(plants * Math.log1p(-(ending === 'dh' ? p : p * p))),
    );
    for (let generation = 1; generation < generations; generation++) {
      const order = Array.from(values.keys()).sort((i, j) => values[j] - values[i]);
      values = Float64Array.from(selfed, (row) => {
        // From the best downwards: P(none of the N is better) falls from 1.
        let above = 0;
        let noneAbove = 1;
        let mean = 0;
        for (const j of order) {
          if (row[j] === 0) continue;
          above += row[j];
          const none = above >= 1 ? 0 : Math.exp(plants * Math.log1p(-above));
          mean += values[j] * (noneAbove - none);
          noneAbove = none;
        }
        return mean;
      });
    }
    return values[start];
  };
}

/** Probability of each gamete of a plant, by its bits. */
export function gameteProbabilities(loci: StackLoci, [first, second]: Plant): Float64Array {
  const count = loci.morgan.length;
  const probabilities = new Float64Array(2 ** count);
  const walk = (i: number, gamete: number, from: number, probability: number): void => {
    if (i === count) {
      probabilities[gamete] += probability;
      return;
    }
    const r = i === 0 ? 0.5 : recombination(loci, i - 1, i);
    for (const next of [0, 1]) {
      const share = probability * (i === 0 || next !== from ? r : 1 - r);
      if (share > 0) walk(i + 1, gamete | ((((next === 0 ? first : second) >>> i) & 1) << i), next, share);
    }
  };
  walk(0, 0, 0, 1);
  return probabilities;
}

/**
 * Share of replicates in which all is fixed; the same seed gives the same draws for every number of plants. With
 * `enough` it stops early where the share will not come near it.
 */
export function simulateFixation(
  { loci, plant, ending, generations }: FixationTask,
  plants: number,
  { seed, replicates, enough = 0 }: { seed: number; replicates: number; enough?: number },
): { probability: number; se: number } {
  const all = 2 ** loci.morgan.length - 1;
  let fixed = 0;
  let done = 0;
  for (let replicate = 0; replicate < replicates; replicate++, done++) {
    const hopeless = enough - 4 * Math.sqrt((enough * (1 - enough)) / Math.max(1, done));
    if (done >= 20 && fixed / done < hopeless) break;
    const random = createRandomStream(seed, 'stack fixation', replicate);
    const draw = phaseDraw(loci, random);
    let now: Plant | null = plant;
    for (let generation = 1; generation < generations && now !== null; generation++) {
      now = bestOf(now, plants);
    }
    if (now === null) continue;
    const last = transmission(loci, now) ** (ending === 'dh' ? 1 : 2);
    // The last generation needs no draw of its plants, only whether one of them is fixed.
    if (last === 1 || random.uniform() < -Math.expm1(plants * Math.log1p(-last))) fixed++;

    function bestOf(parent: Plant, count: number): Plant | null {
      let best: Plant | null = null;
      let most = 0;
      for (let i = 0; i < count; i++) {
        const a = gameteOf(parent, draw());
        const b = gameteOf(parent, draw());
        if ((a | b) !== all) continue;
        const value = transmission(loci, [a, b]);
        if (value > most) {
          most = value;
          best = [a, b];
        }
      }
      return best;
    }
  }
  const probability = fixed / done;
  return { probability, se: Math.sqrt((probability * (1 - probability)) / done) };
}
