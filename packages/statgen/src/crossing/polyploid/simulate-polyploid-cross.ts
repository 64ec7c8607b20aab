import type { CrossingGenome, TraitEffects } from '../crossing-genome.ts';
import { type Homolog, type UniformSource, wholeHomolog } from '../meiosis.ts';
import { createSegmentStore, type ProgenyHomologs } from '../progeny-homologs.ts';
import { addHomologValue, addPairValue, haplotypeTables, pairTables } from '../segment-values.ts';
import type { PairingModel } from './gametes.ts';
import { createPolyploidCrosses, type Homologs, type PolyploidGenome } from './polyploid-cross.ts';
import { createPolyploidMeiosis } from './polyploid-meiosis.ts';

export interface PolyploidSimulationInput {
  female: Homologs;
  /** The same plant where one is selfed. */
  male: Homologs;
  progenyCount: number;
  /** The cross's own random stream, so that results do not depend on which worker simulates which cross. */
  random: UniformSource;
  /** Keeps the homologs of the progeny, some 400 bytes a plant; otherwise they are null. */
  keepHomologs?: boolean;
}

export interface SimulatedPolyploids {
  /** Genetic values, progeny × traits, the traits of a progeny adjacent. */
  values: Float64Array;
  /**
   * The chromatids of the two gametes in turn, so that what has paired stands side by side again: from the female, from
   * the male, from the female … Haplotypes 0 … k − 1 are those of the female, k … 2k − 1 those of the male.
   */
  homologs: ProgenyHomologs | null;
}

/**
 * Simulates the progeny of two plants, or of one selfed; values as in `createPolyploidCrosses`. A progeny costs
 * O(k²·crossovers) with dominance, O(crossovers) without, whatever the number of markers. Unmapped markers add their
 * expected value to every progeny.
 *
 * @throws RangeError as `gameteDistribution`
 */
export function createPolyploidSimulation(
  genome: PolyploidGenome,
  effects: readonly TraitEffects[],
  model: PairingModel,
): (input: PolyploidSimulationInput) => SimulatedPolyploids {
  const meiosis = createPolyploidMeiosis(genome, model);
  const { ploidy } = model;
  const unmapped = createPolyploidCrosses(...unmappedPart(genome, effects), model);
  const dominance = effects.some((trait) => trait.dominance !== null) ? dominanceAlone(effects, ploidy) : null;
  return ({ female, male, progenyCount, random, keepHomologs = false }) => {
    const traits = effects.length;
    const haplotypes = [...female, ...male];
    const segments = { haplotypes: haplotypes.length, traits, end: genome.mappedCount };
    const ofHomologs = { ...segments, tables: haplotypeTables(genome, effects, haplotypes, 1) };
    const ofPairs = dominance === null ? null : { ...segments, tables: pairTables(genome, dominance, haplotypes) };
    const tails = [female, male].map((plant) => plant.map((homolog) => homolog.subarray(genome.mappedCount)));
    const constant = unmapped.moments(tails[0], tails[1]).map(({ mean }) => mean);
    const gametes = [0, 1].map(() => Array.from({ length: ploidy / 2 }, () => wholeHomolog(0)));
    const plant: Homolog[] = gametes[0].flatMap((chromatid, k) => [chromatid, gametes[1][k]]);
    const store = keepHomologs ? createSegmentStore(ploidy * progenyCount) : null;
    const values = new Float64Array(progenyCount * traits);
    for (let i = 0; i < progenyCount; i++) {
      meiosis(0, random, gametes[0]);
      meiosis(ploidy, random, gametes[1]);
      const at = i * traits;
      values.set(constant, at);
      for (const [a, homolog] of plant.entries()) {
        addHomologValue(homolog, ofHomologs, values, at);
        if (ofPairs !== null)
          for (const other of plant.slice(0, a)) addPairValue([other, homolog], ofPairs, values, at);
        store?.add(homolog);
      }
    }
    return { values, homologs: store?.homologs() ?? null };
  };
}

/** x(k − x) is the number of pairs of homologs that differ: d·4x(k − x)/k² as an effect of such a pair. */
const dominanceAlone = (effects: readonly TraitEffects[], ploidy: number): TraitEffects[] =>
  effects.map(({ additive, dominance }) => ({
    intercept: 0,
    additive: new Float64Array(additive.length),
    dominance: dominance?.map((effect) => (4 * effect) / ploidy ** 2) ?? null,
  }));

function unmappedPart(
  { markerCount, mappedCount }: CrossingGenome,
  effects: readonly TraitEffects[],
): [PolyploidGenome, TraitEffects[]] {
  const genome = {
    ...{ markerCount: markerCount - mappedCount, mappedCount: 0, chromosomeStart: Int32Array.of(0) },
    ...{ positionMorgan: new Float64Array(0), centromereMorgan: new Float64Array(0) },
  };
  const tail = (values: Float64Array): Float64Array => values.subarray(mappedCount);
  const unmapped = effects.map(({ intercept, additive, dominance }) => ({
    ...{ intercept, additive: tail(additive), dominance: dominance === null ? null : tail(dominance) },
  }));
  return [genome, unmapped];
}
