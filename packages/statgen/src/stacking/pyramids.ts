import { type Plant, plantsFor, type StackLoci, transmission } from './gametes.ts';

/** A plant of a crossing tree: a leaf, or a cross of two plants whose gametes carry all that these have. */
export interface Pyramid {
  plant: Plant;
  /** All targets of the plant. */
  targets: number;
  /** Which leaf this is; −1 for a cross. */
  leaf: number;
  parents: readonly [Pyramid, Pyramid] | null;
  /** Crosses one after the other below this plant, with it. */
  height: number;
  /** Probability of the plant among the progeny of the cross; 1 for a leaf. */
  probability: number;
  /** Crosses whose progeny are searched, with this one. */
  searches: number;
}

/** Trees of n leaves are 1·3·5 … (2n − 3): 135,135 for eight. */
export const MAX_LEAVES = 8;

/**
 * Every crossing tree of the leaves (Servin et al. 2004): in each cross a plant is wanted that has all targets of one
 * parent on one haplotype, and all of the other on the other one.
 */
export function allPyramids(loci: StackLoci, leaves: readonly Plant[]): Pyramid[] {
  const known = new Map<string, number>();
  const passes = (plant: Plant): number => {
    const key = plant.join();
    const probability = known.get(key) ?? transmission(loci, plant);
    known.set(key, probability);
    return probability;
  };
  const trees: Pyramid[][] = [];
  for (let set = 1; set < 2 ** leaves.length; set++) {
    const lowest = set & -set;
    const rest = set ^ lowest;
    if (rest === 0) {
      const leaf = Math.log2(set);
      const plant = leaves[leaf];
      const targets = plant[0] | plant[1];
      trees[set] = [{ plant, targets, leaf, parents: null, height: 0, probability: 1, searches: 0 }];
      continue;
    }
    trees[set] = [];
    // Halves of the set, each once: the lowest leaf stands in the first.
    for (let part = (rest - 1) & rest; ; part = (part - 1) & rest) {
      for (const a of trees[part | lowest]) for (const b of trees[rest ^ part]) trees[set].push(crossOf(a, b));
      if (part === 0) break;
    }
  }
  return trees[2 ** leaves.length - 1];

  function crossOf(a: Pyramid, b: Pyramid): Pyramid {
    const probability = passes(a.plant) * passes(b.plant);
    return {
      plant: [a.targets, b.targets],
      targets: a.targets | b.targets,
      leaf: -1,
      parents: [a, b],
      height: 1 + Math.max(a.height, b.height),
      probability,
      searches: a.searches + b.searches + (probability < 1 ? 1 : 0),
    };
  }
}

/** Plants of all crosses of a tree when each search has the assurance. */
export function plantsOf(tree: Pyramid, assurance: number): number {
  if (tree.parents === null) return 0;
  const [a, b] = tree.parents;
  return plantsFor(tree.probability, assurance) + plantsOf(a, assurance) + plantsOf(b, assurance);
}

/** The largest number of plants of one cross of a tree. */
export function mostOf(tree: Pyramid, assurance: number): number {
  if (tree.parents === null) return 0;
  const [a, b] = tree.parents;
  return Math.max(plantsFor(tree.probability, assurance), mostOf(a, assurance), mostOf(b, assurance));
}
