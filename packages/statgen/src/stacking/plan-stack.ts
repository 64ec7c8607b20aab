import { type Ending, fixationSize } from './fixation.ts';
import { atLeast, MAX_LOCI, type Plant, plantsFor, recombination, type StackLoci, transmission } from './gametes.ts';
import { allPyramids, MAX_LEAVES, mostOf, type Pyramid, plantsOf } from './pyramids.ts';
import { StackingError } from './stacking-error.ts';

/** Which comes first: the crosses of the donors with each other, or the backcrosses of each donor. */
export type StackOrder = 'pyramid-first' | 'backcross-first';

/** What is to be stacked, and how. */
export interface StackTask {
  /** Targets in map order; chromosomes count from 0. */
  loci: StackLoci;
  /** Inbred donors: bit i = has the favourable allele of target i. */
  donors: readonly number[];
  /** The recurrent parent likewise; null without one. */
  recurrent: number | null;
  /** Backcrosses after the F1 with the recurrent parent. */
  backcrosses: number;
  order: StackOrder;
  ending: Ending;
  /** Probability that all succeeds. */
  probability: number;
  /** Carriers wanted in each backcross. */
  carriers: number;
  /** Plants of one cross that can be grown and genotyped. */
  mostPlants: number;
  /** Generations of selfing, and doubled haploids, after the last cross. */
  mostFixing: number;
  seed: number;
  replicates: number;
}

export type StackParent = { donor: number } | { recurrent: true } | { step: number };

/** One population: a cross, a backcross, the selfed progeny or the doubled haploids of one plant. */
export interface StackStep {
  generation: number;
  kind: 'cross' | 'backcross' | 'self' | 'dh';
  parents: readonly StackParent[];
  /**
   * Favourable alleles of the plant that is kept, on both haplotypes. Null for a selfing before the last: there every
   * target at least once, and the one is kept from which fixation is likeliest.
   */
  wanted: Plant | null;
  /** Probability of such a plant; null where one of many is chosen as well as it can be. */
  probability: number | null;
  plants: number;
  /** Plants of the kind wanted. */
  carriers: number;
}

export interface StackAlternative {
  generations: number;
  /** Of all populations together, and of the largest. */
  plants: number;
  largest: number;
  fixing: number;
}

export interface StackPlan extends StackAlternative {
  steps: StackStep[];
  /** Probability of each search, such that all together reach the one asked for. */
  assurance: number;
  /** Probability that all searches succeed with these numbers, and its standard error (0: exact). */
  success: number;
  se: number;
  /** Whether no population is larger than can be grown. */
  fits: boolean;
  /** The best schedule of each number of generations. */
  alternatives: StackAlternative[];
}

/**
 * The schedule with the fewest generations in which no population is larger than can be grown; of those the one with
 * the fewest plants. Where none is small enough, the one whose largest population is smallest.
 *
 * Every crossing tree of the donors is tried (Servin et al. 2004, Genetics 168:513). All searches have the same
 * assurance, probability^(1/searches), with which each finds its plant. Numbers of plants of crosses and backcrosses
 * are exact; for those of the fixation see {@link fixationSize}. Trees of one height are compared by their crosses and
 * the doubled haploids of their last plant.
 *
 * @throws StackingError `targets`, `donors`, `not-carried`, `same-place`, `too-rare`
 */
export function planStack(task: StackTask): StackPlan {
  requireSound(task);
  const { loci, donors, recurrent, probability } = task;
  const lines =
    task.order === 'backcross-first' && recurrent !== null
      ? donors.map((donor) => backcrossed(task, donor, recurrent))
      : null;
  const leaves = lines?.map(({ plant }) => plant) ?? donors.map((donor): Plant => [donor, donor]);
  const trees = allPyramids(loci, leaves);
  const sizes = new Map<string, number>();
  const candidates = new Map<number, { whole: Whole; plants: number; largest: number }>();
  for (const tree of trees) {
    const whole = wholeOf(task, tree, lines);
    const assurance = probability ** (1 / Math.max(1, whole.searches));
    const lastGamete = transmission(loci, whole.last);
    const crosses = plantsOf(tree, assurance);
    const parts = whole.backcrosses.map((p) => {
      const key = `${p.probability} ${p.wanted} ${whole.searches}`;
      const plants = sizes.get(key) ?? plantsFor(p.probability, assurance, p.wanted);
      sizes.set(key, plants);
      return plants;
    });
    const plants = sum([crosses, ...parts, plantsFor(lastGamete, assurance)]);
    const largest = Math.max(mostOf(tree, assurance), ...parts);
    const known = candidates.get(tree.height);
    const isBetter = known === undefined || compare({ plants, largest }, known, task.mostPlants) < 0;
    if (isBetter && Number.isFinite(sum([crosses, ...parts]))) candidates.set(tree.height, { whole, plants, largest });
  }
  const plans = plansOf(
    task,
    [...candidates.values()].map(({ whole, largest: crossed }) => ({ whole, crossed })),
  );
  const best = new Map<number, StackPlan>();
  for (const plan of plans) {
    const known = best.get(plan.generations);
    if (known === undefined || compare(plan, known, task.mostPlants) < 0) best.set(plan.generations, plan);
  }
  const ordered = [...best.values()].sort((a, b) => a.generations - b.generations);
  const chosen = ordered.find(({ fits }) => fits) ?? [...ordered].sort((a, b) => a.largest - b.largest)[0];
  if (chosen === undefined) {
    throw new StackingError(
      'too-rare',
      'No number of plants that could be grown has all targets with this probability.',
      'Stack fewer targets, allow more generations of selfing, or backcross each donor before they are crossed.',
    );
  }
  const alternatives = ordered.map(({ generations, plants, largest, fixing }) => ({
    ...{ generations, plants, largest, fixing },
  }));
  return { ...chosen, alternatives };
}

/** Generations beyond those needed that are still alternatives. */
const FURTHER = 2;

/** Schedules of all trees and numbers of generations of fixation, the shorter ones first. */
function plansOf(task: StackTask, candidates: readonly { whole: Whole; crossed: number }[]): StackPlan[] {
  const asked = candidates
    .flatMap(({ whole, crossed }) => {
      // Smaller populations at the end are no use where those of the crosses are too large already.
      const generations = crossed <= task.mostPlants ? task.mostFixing : 1;
      return Array.from({ length: generations }, (_, k) => ({ whole, fixing: k + 1 }));
    })
    .sort((a, b) => a.whole.tree.height + a.fixing - b.whole.tree.height - b.fixing);
  const plans: StackPlan[] = [];
  let needed = Number.POSITIVE_INFINITY;
  for (const { whole, fixing } of asked) {
    if (whole.tree.height + fixing > needed + FURTHER) break;
    const plan = planOf(task, whole, fixing);
    if (plan === null) continue;
    plans.push(plan);
    if (plan.fits) needed = Math.min(needed, whole.tree.height + fixing);
  }
  return plans;
}

/** Fewer plants first, after what fits. */
function compare(
  a: { plants: number; largest: number },
  b: { plants: number; largest: number },
  mostPlants: number,
): number {
  const excess = Math.max(a.largest, mostPlants) - Math.max(b.largest, mostPlants);
  return (Number.isNaN(excess) ? 0 : excess) || a.plants - b.plants;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

interface Backcross {
  probability: number;
  wanted: number;
  plant: Plant;
}

/** The F1 with the recurrent parent and its backcrosses, each with the plant that is kept. */
function withRecurrent(
  { loci, backcrosses, carriers }: StackTask,
  plant: Plant,
  recurrent: number,
): { populations: Backcross[]; plant: Plant } {
  const populations: Backcross[] = [];
  let now = plant;
  for (let k = 0; k <= backcrosses; k++) {
    const probability = transmission(loci, now);
    now = [now[0] | now[1], recurrent];
    // One F1 plant is like the other where both parents are inbred.
    populations.push({ probability, wanted: probability < 1 ? (k === 0 ? 1 : carriers) : 1, plant: now });
  }
  return { populations, plant: now };
}

/** A donor after its own backcrosses. */
const backcrossed = (task: StackTask, donor: number, recurrent: number) =>
  withRecurrent(task, [donor, donor], recurrent);

/** A tree with all that comes before and after it. */
interface Whole {
  tree: Pyramid;
  /** Populations of each donor before the tree; null where the tree comes first. */
  lines: readonly { populations: Backcross[]; plant: Plant }[] | null;
  /** All populations with the recurrent parent. */
  backcrosses: Backcross[];
  /** The plant whose alleles are fixed. */
  last: Plant;
  searches: number;
}

function wholeOf(task: StackTask, tree: Pyramid, lines: Whole['lines']): Whole {
  const after = lines === null && task.recurrent !== null ? withRecurrent(task, tree.plant, task.recurrent) : null;
  const backcrosses = after?.populations ?? lines?.flatMap(({ populations }) => populations) ?? [];
  const last = after?.plant ?? tree.plant;
  const searches =
    tree.searches +
    backcrosses.filter(({ probability }) => probability < 1).length +
    (transmission(task.loci, last) < 1 ? 1 : 0);
  return { tree, lines, backcrosses, last, searches };
}

function planOf(task: StackTask, whole: Whole, fixing: number): StackPlan | null {
  const assurance = task.probability ** (1 / Math.max(1, whole.searches));
  const { loci, ending, seed, replicates } = task;
  const lastPlant = { loci, plant: whole.last, ending, generations: fixing };
  const fixation = fixationSize(lastPlant, assurance, { seed, replicates });
  if (fixation === null) return null;
  const steps: StackStep[] = [];
  const add = (step: StackStep): StackParent => {
    steps.push(step);
    return { step: steps.length - 1 };
  };
  const cross = (populations: readonly Backcross[], from: StackParent, generation: number) => {
    let parent = from;
    for (const [k, { probability, wanted, plant }] of populations.entries()) {
      parent = add({
        ...{ generation: generation + k, kind: k === 0 ? 'cross' : 'backcross' },
        ...{ parents: [parent, { recurrent: true }], wanted: plant, probability },
        ...{ plants: plantsFor(probability, assurance, wanted), carriers: wanted },
      });
    }
    return parent;
  };
  const before = whole.lines === null ? 0 : task.backcrosses + 1;
  const place = (tree: Pyramid): StackParent => {
    if (tree.parents === null) {
      const line = whole.lines?.[tree.leaf];
      return line === undefined ? { donor: tree.leaf } : cross(line.populations, { donor: tree.leaf }, 1);
    }
    const parents = tree.parents.map(place);
    const { plant: wanted, probability } = tree;
    const plants = plantsFor(probability, assurance);
    return add({
      ...{ generation: before + tree.height, kind: 'cross', parents, wanted },
      ...{ probability, plants, carriers: 1 },
    });
  };
  let last = place(whole.tree);
  let generation = before + whole.tree.height;
  if (whole.lines === null && task.recurrent !== null) {
    last = cross(whole.backcrosses, last, generation + 1);
    generation += whole.backcrosses.length;
  }
  const all = whole.last[0] | whole.last[1];
  const once = transmission(loci, whole.last);
  for (let k = 1; k <= fixing; k++) {
    const kind = k === fixing && ending === 'dh' ? 'dh' : 'self';
    last = add({
      ...{ generation: generation + k, kind, parents: [last], wanted: k === fixing ? [all, all] : null },
      ...{ probability: fixing > 1 ? null : kind === 'dh' ? once : once * once, plants: fixation.plants, carriers: 1 },
    });
  }
  const sizes = steps.map(({ plants }) => plants);
  const largest = Math.max(...sizes);
  // Those of the fixation are one search.
  const searches = steps.filter(({ kind, probability }) => probability !== null && kind !== 'self' && kind !== 'dh');
  const found = searches.map((step) => atLeast(step.carriers, step.plants, step.probability ?? 1));
  return {
    ...{ steps: inOrder(steps), generations: generation + fixing, plants: sum(sizes), largest, fixing, assurance },
    success: found.reduce((product, p) => product * p, fixation.probability),
    se: fixation.se * found.reduce((product, p) => product * p, 1),
    ...{ fits: largest <= task.mostPlants, alternatives: [] },
  };
}

/** Steps by their generation. */
function inOrder(steps: readonly StackStep[]): StackStep[] {
  const order = Array.from(steps.keys()).sort((a, b) => steps[a].generation - steps[b].generation || a - b);
  const renumber = (parent: StackParent): StackParent =>
    'step' in parent ? { step: order.indexOf(parent.step) } : parent;
  return order.map((k) => ({ ...steps[k], parents: steps[k].parents.map(renumber) }));
}

function requireSound({ loci, donors, recurrent }: StackTask): void {
  const count = loci.morgan.length;
  if (count < 1 || count > MAX_LOCI) {
    throw new StackingError('targets', `${count} targets were given.`, `Give 1 to ${MAX_LOCI} targets.`);
  }
  if (donors.length < 1 || donors.length > MAX_LEAVES || (donors.length === 1 && recurrent === null)) {
    throw new StackingError(
      'donors',
      donors.length === 1
        ? 'One donor has all targets, and there is no recurrent parent.'
        : `${donors.length} donors are to be crossed.`,
      donors.length === 1
        ? 'Name a recurrent parent, or use the donor as it is.'
        : `Choose donors of which at most ${MAX_LEAVES} have all targets together.`,
    );
  }
  const carried = [...donors, recurrent ?? 0].reduce((all, bits) => all | bits, 0);
  const missing = Array.from(loci.morgan.keys()).filter((i) => ((carried >>> i) & 1) === 0);
  if (missing.length > 0) {
    throw new StackingError(
      'not-carried',
      `No parent has the favourable allele of target ${missing.map((i) => i + 1).join(', ')}.`,
      'Add a donor that has it, or leave the target out.',
    );
  }
  for (let i = 1; i < count; i++) {
    const parents = [...donors, ...(recurrent === null ? [] : [recurrent])];
    const together = parents.some((bits) => ((bits >>> (i - 1)) & 3) === 3);
    if (recombination(loci, i - 1, i) === 0 && !together) {
      throw new StackingError(
        'same-place',
        `Targets ${i} and ${i + 1} have the same position, and no parent has both favourable alleles.`,
        'Leave out one of them, or give the map positions that tell them apart.',
      );
    }
  }
}
