import { createMatrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { selectionIntensity } from '../crossing/cross-criteria.ts';
import type { PhasedParent } from '../crossing/crossing-genome.ts';
import { pairMoments } from '../crossing/rank-pairs.ts';
import { createPlanner } from '../mating/plan-crosses.ts';
import { PlanImpossible } from '../mating/plan-limits.ts';
import type { RandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { alleleAt, type PackedGenome } from './packed-genome.ts';
import { homologAt, type PackedPopulation, type Pair } from './packed-population.ts';
import { modelOf, type ProgrammeState, type StageRun } from './programme-state.ts';
import { columnOf, type ProgrammeWorld } from './programme-world.ts';
import type { CrossStage } from './scheme.ts';

/** The crosses of a stage, as places of their parents. @throws StatgenError `bad-option` */
export function planPairs(
  stage: CrossStage,
  { female, male }: { female: PackedPopulation; male: PackedPopulation },
  { state, random }: StageRun,
): Pair[] {
  const [f, m] = [female.size, male.size];
  const isOne = female === male;
  if (isOne && f < 2) throw new StatgenError('bad-option', `crosses need two parents, and there is ${f}`);
  switch (stage.plan) {
    case 'circular':
      return Array.from({ length: f }, (_, i) => [i, (i + 1) % m]);
    case 'random':
      return randomPairs(stage.crosses ?? f, { f, m, isOne }, random);
    case 'paired':
      return Array.from({ length: Math.min(f, m) }, (_, i) => [i, i]);
    case 'useful':
      return usefulPairs(stage, female, state);
    case 'optimal':
      return optimalPairs(stage, female, state);
    default:
      if (isOne) return allPairs(f);
      return Array.from({ length: f }, (_, i) => i).flatMap((i) => Array.from({ length: m }, (_, k): Pair => [i, k]));
  }
}

/** Partners drawn uniformly and anew for each cross; within one population two different plants. */
function randomPairs(
  crosses: number,
  { f, m, isOne }: { f: number; m: number; isOne: boolean },
  random: RandomStream,
): Pair[] {
  return Array.from({ length: crosses }, () => {
    const i = random.nextInt(f);
    if (!isOne) return [i, random.nextInt(m)];
    const k = random.nextInt(m - 1);
    return [i, k < i ? k : k + 1];
  });
}

/** Of a cross's progeny, unless a stage says another share. */
const SELECTED = 0.05;

/**
 * The pairs of the largest usefulness µ + i·σ of their DH lines by estimated effects (Schnell & Utz 1975; Allier et al.
 * 2019), each parent in at most `most_uses`.
 */
function usefulPairs(stage: CrossStage, parents: PackedPopulation, state: ProgrammeState): Pair[] {
  const { genome } = state.world;
  const { effects, intercept } = modelOf(state, needed(stage, 'model'));
  const traits = [{ intercept, additive: effects, dominance: null }];
  const { mean, variance } = pairMoments(genome.genome, traits, phasedParents(genome, parents), 'DH');
  const intensity = selectionIntensity(stage.selected ?? SELECTED);
  const pairs = allPairs(parents.size).map((pair, k) => ({
    pair,
    usefulness: mean[0][k] + intensity * Math.sqrt(Math.max(0, variance[0][k])),
  }));
  pairs.sort((a, b) => b.usefulness - a.usefulness);
  const uses = new Int32Array(parents.size);
  const most = stage.most_uses ?? Number.POSITIVE_INFINITY;
  const chosen: Pair[] = [];
  for (const { pair } of pairs) {
    if (chosen.length === (stage.crosses ?? parents.size)) break;
    if (pair.some((i) => uses[i] >= most)) continue;
    for (const i of pair) uses[i]++;
    chosen.push(pair);
  }
  return chosen;
}

/**
 * Optimal contributions (Meuwissen 1997) with a cap C + rate·(1 − C) of the parents' coancestry, C that of all
 * candidates. With x the dosage less one and H₀ the founders' heterozygosity at chip loci, the coancestry 1 − He/H₀ of
 * a pool with contributions c is 1 − 1/(2H₀) + c'XX'c/(2mH₀).
 */
function optimalPairs(stage: CrossStage, parents: PackedPopulation, state: ProgrammeState): Pair[] {
  const { world } = state;
  const n = parents.size;
  const crosses = stage.crosses ?? n;
  const relationship = chipRelationship(world, parents);
  let mean = 0;
  for (const value of relationship) mean += value / (2 * n * n);
  const least = 1 - 1 / (2 * world.founderChipHeterozygosity);
  const current = least + mean;
  const cap = current + (stage.rate ?? 0) * (1 - current) - least;
  const material = { value: columnOf(world, parents, needed(stage, 'by')).values, relationship, spread: null };
  try {
    const planner = createPlanner(material, {
      candidates: Int32Array.from({ length: n }, (_, i) => i),
      crosses,
      mostUses: stage.most_uses ?? crosses,
      required: [],
      forbidden: [],
      mates: 'inbreeding',
      unproven: true,
    });
    return planner.plan(cap).crosses.map(({ parents: [i, k] }) => [i, k]);
  } catch (error) {
    if (!(error instanceof PlanImpossible)) throw error;
    throw new StatgenError('bad-option', error.message);
  }
}

/** XX'/(mH₀), twice the coancestry but for a constant; n × n. */
function chipRelationship(world: ProgrammeWorld, parents: PackedPopulation): Float64Array {
  const { chip, genome, founderChipHeterozygosity } = world;
  const n = parents.size;
  const codes = createMatrix(n, chip.length);
  for (let i = 0; i < n; i++) {
    const a = homologAt(parents, genome, i, false);
    const b = homologAt(parents, genome, i, true);
    for (const [k, j] of chip.entries()) {
      codes.data[i + k * n] = alleleAt(parents.bits, a, j) + alleleAt(parents.bits, b, j) - 1;
    }
  }
  const products = createMatrix(n, n);
  addOuterProduct(products, codes, 1 / (chip.length * founderChipHeterozygosity));
  return mirrorLower(products).data;
}

/** Haplotypes as the crossing functions read them. */
function phasedParents(genome: PackedGenome, parents: PackedPopulation): PhasedParent[] {
  const alleles = (at: number) => Uint8Array.from(genome.loci.keys(), (j) => alleleAt(parents.bits, at, j));
  return Array.from({ length: parents.size }, (_, i) => ({
    first: alleles(homologAt(parents, genome, i, false)),
    second: alleles(homologAt(parents, genome, i, true)),
  }));
}

const allPairs = (n: number): Pair[] =>
  Array.from({ length: n }, (_, i) => i).flatMap((i) =>
    Array.from({ length: n - i - 1 }, (_, k): Pair => [i, i + 1 + k]),
  );

function needed<Field extends 'model' | 'by'>(stage: CrossStage, field: Field): string {
  const value = stage[field];
  if (value === undefined) throw new StatgenError('bad-option', `the plan "${stage.plan}" needs "${field}"`);
  return value;
}
