import { createRandomStream, type RandomStream } from '../random/random-stream.ts';
import {
  donorLength,
  drawMeiosis,
  type Haplotype,
  originAt,
  phaseAt,
  recombine,
  segmentAround,
  wholeOf,
} from './donor-segments.ts';
import { gameteOf, type Plant, transmission } from './gametes.ts';
import type { StackParent, StackPlan, StackTask } from './plan-stack.ts';

export interface StackGenome {
  /** Morgan by chromosome. */
  lengths: readonly number[];
  /** Distance of the flanking markers from a target, in Morgan. */
  flank: number;
}

/** What the plant kept of a step is like, over the replicates that reach it. */
export interface StackFigures {
  replicates: number;
  /** Share of the genome from the recurrent parent, mean and standard error. */
  share: number;
  shareSe: number;
  /** Mean Morgan from a donor around a target that a donor has brought. */
  drag: number;
  dragSe: number;
  /** Share of the flanks of these targets that are the recurrent parent's. */
  flanks: number;
}

interface Individual {
  targets: Plant;
  haplotypes: readonly [Haplotype, Haplotype];
}

/**
 * Goes through a schedule with a recurrent parent plant by plant. Of each population the plant is kept that has what
 * is wanted; among several first the one with the most flanking markers of the recurrent parent, then the one with the
 * largest share of its genome (Frisch et al. 1999, Crop Science 39:1295), which markers are taken to show without
 * gaps; in selfings first the one whose gametes carry all targets most often. A replicate ends where nothing is found.
 *
 * @returns a row for each step of the plan; null where it has too many plants to be simulated
 */
export function simulateStack(task: StackTask, plan: StackPlan, genome: StackGenome): StackFigures[] | null {
  if (plan.plants > MOST_DRAWS / 10) return null;
  const replicates = Math.max(FEWEST, Math.min(task.replicates, Math.floor(MOST_DRAWS / plan.plants)));
  const sums = plan.steps.map(() => ({ n: 0, share: 0, share2: 0, drag: 0, drag2: 0, flanks: 0 }));
  for (let replicate = 0; replicate < replicates; replicate++) {
    const random = createRandomStream(task.seed, 'stack', replicate);
    const kept: Individual[] = [];
    for (const [k, step] of plan.steps.entries()) {
      const [first, second] = step.parents.map((parent) => individualOf(parent, task, genome, kept));
      const best = bestOf({ task, genome, step, random }, first, second);
      if (best === null) break;
      kept.push(best);
      const { share, drag, flanks } = scored(best, task, genome);
      const row = sums[k];
      row.n++;
      row.share += share;
      row.share2 += share * share;
      row.drag += drag;
      row.drag2 += drag * drag;
      row.flanks += flanks;
    }
  }
  return sums.map(({ n, share, share2, drag, drag2, flanks }) => ({
    ...{ replicates: n, share: share / n, shareSe: seOf(n, share, share2) },
    ...{ drag: drag / n, dragSe: seOf(n, drag, drag2), flanks: flanks / n },
  }));
}

/** Plants drawn for one simulation: a few seconds. */
const MOST_DRAWS = 1e6;
const FEWEST = 20;

const seOf = (n: number, total: number, squares: number): number =>
  n < 2 ? Number.NaN : Math.sqrt(Math.max(0, squares - total ** 2 / n) / (n - 1) / n);

function individualOf(
  parent: StackParent,
  task: StackTask,
  { lengths }: StackGenome,
  kept: readonly Individual[],
): Individual {
  if ('step' in parent) return kept[parent.step];
  const isDonor = 'donor' in parent;
  const bits = isDonor ? task.donors[parent.donor] : (task.recurrent ?? 0);
  const whole = wholeOf(isDonor ? 1 : 0, lengths);
  return { targets: [bits, bits], haplotypes: [whole, whole] };
}

interface Search {
  task: StackTask;
  genome: StackGenome;
  step: StackPlan['steps'][number];
  random: RandomStream;
}

function bestOf(
  { task, genome, step, random }: Search,
  first: Individual,
  second: Individual | undefined,
): Individual | null {
  const all = (parent: Individual) => parent.targets[0] | parent.targets[1];
  const draw = (parent: Individual) => {
    const meiosis = drawMeiosis(genome.lengths, random);
    return { targets: gameteOf(parent.targets, phaseAt(task.loci, meiosis)), meiosis };
  };
  const made = (parent: Individual, { meiosis }: ReturnType<typeof draw>) => recombine(parent.haplotypes, meiosis);
  let best: Individual | null = null;
  let most = [Number.NEGATIVE_INFINITY, 0, 0];
  for (let i = 0; i < step.plants; i++) {
    const a = draw(first);
    const b = step.kind === 'dh' ? a : draw(second ?? first);
    const isWanted =
      step.wanted === null
        ? (a.targets | b.targets) === all(first)
        : a.targets === all(first) && b.targets === all(second ?? first);
    if (!isWanted) continue;
    const strand = made(first, a);
    const haplotypes = [strand, step.kind === 'dh' ? strand : made(second ?? first, b)] as const;
    const plant: Individual = { targets: [a.targets, b.targets], haplotypes };
    const { share, flanks } = scored(plant, task, genome);
    const value = [step.wanted === null ? transmission(task.loci, plant.targets) : 0, flanks, share];
    const at = value.findIndex((one, k) => one !== most[k]);
    if (best === null || (at >= 0 && value[at] > most[at])) {
      best = plant;
      most = value;
    }
  }
  return best;
}

/** Share of the recurrent parent, and what hangs on the targets of donors. */
function scored({ haplotypes }: Individual, task: StackTask, { lengths, flank }: StackGenome) {
  const { chromosome, morgan } = task.loci;
  const genome = lengths.reduce((total, length) => total + length, 0);
  const donor = haplotypes.reduce((total, haplotype) => total + donorLength(haplotype, lengths), 0);
  let drag = 0;
  let flanks = 0;
  let sides = 0;
  let brought = 0;
  for (let i = 0; i < morgan.length; i++) {
    const c = chromosome[i];
    const strands = haplotypes.map((haplotype) => haplotype[c]);
    const segments = strands.map((strand) => segmentAround(strand, morgan[i], lengths[c])).filter((d) => d > 0);
    if (segments.length === 0) continue;
    brought++;
    drag += segments.reduce((total, d) => total + d, 0) / segments.length;
    for (const at of [morgan[i] - flank, morgan[i] + flank]) {
      if (at < 0 || at > lengths[c]) continue;
      sides++;
      if (strands.every((strand) => originAt(strand, morgan[i]) === 0 || originAt(strand, at) === 0)) flanks++;
    }
  }
  return {
    share: genome === 0 ? 1 : 1 - donor / genome / 2,
    drag: brought === 0 ? 0 : drag / brought,
    flanks: sides === 0 ? 1 : flanks / sides,
  };
}
