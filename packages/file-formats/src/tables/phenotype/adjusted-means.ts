import { findChecks } from './check-lines.ts';
import { entryMeanHeritability, environmentMeans } from './heritability.ts';
import type { TraitReduction } from './phenotype-table.ts';
import { compact, connectedGroups, type Factor, fitTwoWay, groupMeans, type Observed } from './two-way-fit.ts';

/** The observations of one trait; arrays of one length. */
export interface TraitObservations {
  /** 0-based individual of each observation. */
  individual: ArrayLike<number>;
  /** 0-based cell of the design: a replicate (or block) of an environment, or the environment itself. */
  cell: ArrayLike<number>;
  /** NaN = missing. */
  value: ArrayLike<number>;
  individualCount: number;
  /** Environment of each cell. */
  cellEnvironment: ArrayLike<number>;
  /** One flag per individual, 1 = check, when the file says so; null lets checks be found by their replication. */
  checks?: Uint8Array | null;
}

/** What was fitted: the observations that are in the model, with the cells that are in it. */
export interface FittedModel extends Observed {
  cellCount: number;
  /** Environment of each cell, 0 … environmentCount − 1. */
  environmentOfCell: Int32Array;
  environmentCount: number;
  /** True when some environment has several cells: replicates or blocks are in the model. */
  hasReplicates: boolean;
  /** Group of each individual, see {@link AdjustedMeans.groups}; −1 when it is not in the model. */
  groupOfIndividual: Int32Array;
  /** Group of each cell. */
  groupOfCell: Int32Array;
  /** One flag per individual, 1 = check; null without checks. */
  checks: Uint8Array | null;
  /** Residual of the fitted model. */
  errorSumOfSquares: number;
  errorDegrees: number;
}

export interface AdjustedMeans {
  /** One value per individual; NaN without observations and where the mean is not estimable. */
  values: Float64Array;
  observations: Int32Array;
  reduction: TraitReduction;
  /** Entry-mean H², see {@link entryMeanHeritability}. */
  h2: number | null;
  /** Groups of individuals that share no environment, neither directly nor through others; 1 when all are connected. */
  groups: number;
  /** Environments with an observation. */
  environments: number;
  /** Individuals whose mean the model cannot compare with the others, each with one of its cells (as in the input). */
  notEstimable: { individual: number; cell: number }[];
  /** Environments (as in the input) in whose model replicates and blocks are left out, ascending. */
  withoutReplicates: number[];
  /** Null when no individual has more than one observation: nothing is fitted. */
  model: FittedModel | null;
}

/**
 * Reduces the observations of a trait to one value per individual: least-squares (population marginal) means of the
 * fixed model y = individual + environment + replicate within environment + error, averaged over environments with
 * equal weight and over the replicates of an environment with equal weight (Searle, Speed & Milliken 1980, The American
 * Statistician 34:216–221). With every individual equally often in every environment and replicate this is the plain
 * mean.
 *
 * Estimability. Individuals that share no environment, neither directly nor through others, form groups. Differences
 * between groups mix lines and environments: each group keeps its own level, the mean over its own environments, and
 * `groups` tells the caller to warn. Within a group the replicates may cut individuals off from the rest. The part that
 * holds more than half of the group's individuals keeps the full model, and the means of the others are not estimable:
 * they are NaN and listed in `notEstimable`. When no part is that large, the replicates of this group cannot be told
 * from the individuals (each plot a block of its own, for example): the model of this group has none, and its
 * environments are listed in `withoutReplicates`. Other groups are not affected.
 *
 * When no individual has more than one observation the values are returned as they are. Cost: see {@link fitTwoWay}.
 */
export function adjustedMeans(trait: TraitObservations): AdjustedMeans {
  const all = withoutMissing(trait);
  const { individualCount } = trait;
  const observations = new Int32Array(individualCount);
  for (const individual of all.individual) observations[individual]++;
  const values = new Float64Array(individualCount).fill(Number.NaN);
  const environments = new Set(all.cell.map((cell) => trait.cellEnvironment[cell])).size;

  if (observations.every((count) => count <= 1)) {
    for (let i = 0; i < all.value.length; i++) values[all.individual[i]] = all.value[i];
    const nothing = { h2: null, groups: 1, notEstimable: [], withoutReplicates: [], model: null };
    return { values, observations, reduction: 'as given', environments, ...nothing };
  }

  const { chosen: model, environmentOfRow, groups, notEstimable, withoutReplicates } = chooseModel(all, trait);
  const cells: Factor = { codes: model.cell, count: model.cellCount };
  const fit = fitTwoWay(model.individual, individualCount, cells, model.value, {
    count: groups,
    ofCell: model.groupOfCell,
  });
  const environmentEffects = groupMeans(model.environmentOfCell, model.environmentCount, fit.cellEffects);
  const groupOfEnvironment = new Int32Array(model.environmentCount);
  for (let cell = 0; cell < model.cellCount; cell++)
    groupOfEnvironment[model.environmentOfCell[cell]] = model.groupOfCell[cell];
  const groupLevels = groupMeans(groupOfEnvironment, groups, environmentEffects);
  for (let individual = 0; individual < individualCount; individual++) {
    const group = model.groupOfIndividual[individual];
    if (group >= 0) values[individual] = fit.individualEffects[individual] + groupLevels[group];
  }

  const { checks } = model;
  let h2: number | null;
  if (model.environmentCount < 2) {
    h2 = entryMeanHeritability(model.individual, individualCount, cells, model.value, fit, checks);
  } else {
    const means = environmentMeans(model, environmentOfRow, fit.cellEffects, environmentEffects);
    const twoWay = fitTwoWay(means.individual, individualCount, means.environments, means.value, {
      count: groups,
      ofCell: groupOfEnvironment,
    });
    h2 = entryMeanHeritability(means.individual, individualCount, means.environments, means.value, twoWay, checks);
  }
  return {
    values,
    observations,
    reduction: model.cellCount === 1 ? 'mean' : 'adjusted mean',
    h2,
    groups,
    environments,
    notEstimable,
    withoutReplicates,
    model: { ...model, errorSumOfSquares: fit.errorSumOfSquares, errorDegrees: fit.errorDegrees },
  };
}

interface ModelChoice extends Pick<AdjustedMeans, 'groups' | 'notEstimable' | 'withoutReplicates'> {
  chosen: Omit<FittedModel, 'errorSumOfSquares' | 'errorDegrees'>;
  /** Environment of each observation in the model. */
  environmentOfRow: Factor;
}

/** Decides which observations and which cells are in the model, see {@link adjustedMeans}. */
function chooseModel(all: Observed, trait: TraitObservations): ModelChoice {
  const { individualCount, cellEnvironment } = trait;
  const byEnvironment = compact(all.cell.map((cell) => cellEnvironment[cell]));
  const byCell = compact(all.cell);
  const wide = connectedGroups(all.individual, individualCount, byEnvironment);
  const narrow = connectedGroups(all.individual, individualCount, byCell);

  // Individuals per part (connected through cells) and per group (connected through environments) that the part lies
  // in.
  const perPart = new Int32Array(narrow.count);
  const perGroup = new Int32Array(wide.count);
  const largestPart = new Int32Array(wide.count).fill(-1);
  for (let individual = 0; individual < individualCount; individual++) {
    const part = narrow.ofIndividual[individual];
    if (part < 0) continue;
    const group = wide.ofIndividual[individual];
    perPart[part]++;
    perGroup[group]++;
    if (largestPart[group] < 0 || perPart[part] > perPart[largestPart[group]]) largestPart[group] = part;
  }
  const isSplit = Uint8Array.from(largestPart, (part, group) => Number(2 * perPart[part] <= perGroup[group]));

  const notEstimable = new Map<number, number>();
  const withoutReplicates = new Set<number>();
  const rows: number[] = [];
  const cellOfRow: number[] = [];
  for (let i = 0; i < all.value.length; i++) {
    const individual = all.individual[i];
    const group = wide.ofIndividual[individual];
    if (isSplit[group] === 1) {
      withoutReplicates.add(cellEnvironment[all.cell[i]]);
      // Numbers beyond those of the cells, for whole environments.
      cellOfRow.push(byCell.count + byEnvironment.codes[i]);
      rows.push(i);
    } else if (narrow.ofIndividual[individual] === largestPart[group]) {
      cellOfRow.push(byCell.codes[i]);
      rows.push(i);
    } else if (!notEstimable.has(individual)) {
      notEstimable.set(individual, all.cell[i]);
    }
  }
  const cells = compact(Int32Array.from(cellOfRow));
  const individual = Int32Array.from(rows, (i) => all.individual[i]);
  const environmentOfRow = compact(Int32Array.from(rows, (i) => byEnvironment.codes[i]));
  const environmentOfCell = new Int32Array(cells.count);
  for (let i = 0; i < rows.length; i++) environmentOfCell[cells.codes[i]] = environmentOfRow.codes[i];
  const groups = connectedGroups(individual, individualCount, cells);
  const counts = new Int32Array(individualCount);
  for (const line of individual) counts[line]++;
  return {
    chosen: {
      individual,
      cell: cells.codes,
      value: Float64Array.from(rows, (i) => all.value[i]),
      cellCount: cells.count,
      environmentOfCell,
      environmentCount: environmentOfRow.count,
      hasReplicates: cells.count > environmentOfRow.count,
      groupOfIndividual: groups.ofIndividual,
      groupOfCell: groups.ofCell,
      checks: declaredChecks(trait.checks ?? null, counts) ?? findChecks(counts),
    },
    environmentOfRow,
    groups: groups.count,
    notEstimable: [...notEstimable].map(([line, cell]) => ({ individual: line, cell })),
    withoutReplicates: [...withoutReplicates].sort((a, b) => a - b),
  };
}

/** The checks that the file names, when it leaves lines that are none. */
function declaredChecks(checks: Uint8Array | null, observations: Int32Array): Uint8Array | null {
  if (checks === null) return null;
  const isOther = observations.some((count, individual) => count > 0 && checks[individual] === 0);
  const isCheck = observations.some((count, individual) => count > 0 && checks[individual] === 1);
  return isOther && isCheck ? checks : null;
}

function withoutMissing(trait: TraitObservations): Observed {
  let count = 0;
  for (let i = 0; i < trait.value.length; i++) if (!Number.isNaN(trait.value[i])) count++;
  const observed = { individual: new Int32Array(count), cell: new Int32Array(count), value: new Float64Array(count) };
  let at = 0;
  for (let i = 0; i < trait.value.length; i++) {
    if (Number.isNaN(trait.value[i])) continue;
    observed.individual[at] = trait.individual[i];
    observed.cell[at] = trait.cell[i];
    observed.value[at] = trait.value[i];
    at++;
  }
  return observed;
}
