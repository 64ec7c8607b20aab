import { likelyNodes } from '@heterosis/statgen/genomic-prediction/fold-inverses';
import type { EngineTask } from './engine-task.ts';

/** Operations by the routine that does them; their rates differ. */
export interface OperationCounts {
  /** Products, factors and inverses in double precision. */
  double: number;
  /** Products of whole numbers in single precision. */
  single: number;
  /** Reduction to tridiagonal form, half of it bound by memory. */
  tridiagonal: number;
  /** Eigenvectors. */
  eigen: number;
  /** Calls decoded. */
  decoded: number;
}

/** Reliabilities in marker space cost N·m² operations, with dominance five times as many; above they are left out. */
const MOST_FOR_RELIABILITIES = 3e12;
const DOMINANCE_RELIABILITIES = 5;

/** Whether a training in marker space computes reliabilities. */
export function withReliabilities(individuals: number, markers: number, dominance = false): boolean {
  return reliabilityOperations(individuals, markers, dominance) <= MOST_FOR_RELIABILITIES;
}

function reliabilityOperations(individuals: number, markers: number, dominance: boolean): number {
  return (dominance ? DOMINANCE_RELIABILITIES : 1) * individuals * markers * markers;
}

/** Time of an inverse over that of a product of as many operations. */
const INVERSE = 1.6;
/** Factors of the scan for the optimum of all individuals. */
const SCAN = 4;
/** Of the search for two variances: factors of its grid, and iterations, each a factor and an inverse. */
const GRID = 10;
const ITERATIONS = 8;

/** Time of a search for two variances by matrices of this order, as operations. */
const searchOperations = (order: number): number => (GRID / 3 + ITERATIONS * INVERSE) * order ** 3;
/** Time to fill in an entry of the equations of markers with dominance, as operations: those of a small matrix. */
const FILLING = 300;
const filledSearch = (order: number): number =>
  searchOperations(order) + (GRID + 2 * ITERATIONS) * FILLING * order ** 2;

const hasErrors = ({ errors }: EngineTask): boolean => errors !== undefined;
/** Iterations of a search beside known errors, from three starts of n × n; from the likeliest and in folds of m × m. */
const KNOWN_ERROR_ITERATIONS = { individuals: 22, markers: 10, fold: 6 };

/** Time of a search beside known errors, and of the division by correlated ones, as operations. */
const knownErrorOperations = ({ errors }: EngineTask, n: number): number =>
  (KNOWN_ERROR_ITERATIONS.individuals * INVERSE + (errors === 'correlated' ? 3 : 0)) * n ** 3;

export function operationsOfIndividuals(task: EngineTask): OperationCounts {
  if (task.analysis === 'gwas') return gwasOfIndividuals(task);
  const { individuals: all, observed: n, markers: m, traits, groups, dominance = false } = task;
  const { folds = 5, repetitions = 10 } = task;
  // With dominance p is that of the individuals observed, so that each group of traits has kinships of its own.
  const times = dominance ? groups : 1;
  const single = task.kinship === 'standardized' ? 0 : times * (task.wholeShare ?? 0) * all * all * m;
  const kinships = times * (dominance ? 2 : 1) * all * all * m - single;
  const operations = { single, tridiagonal: 0, eigen: 0, decoded: times * (dominance ? 2 : 1) * all * m };
  if (task.together === true) return withTogether(task, operations, kinships);
  if (task.analysis === 'evaluate') {
    const block = (INVERSE * (n / folds) ** 3) / 3;
    const node = INVERSE * n ** 3 + folds * repetitions * block;
    const trained = n - n / folds;
    const trait = hasErrors(task)
      ? folds * repetitions * knownErrorOperations(task, trained)
      : dominance
        ? folds * repetitions * searchOperations(trained)
        : likelyNodes(n) * node + (SCAN * n ** 3) / 3;
    return { ...operations, double: kinships + traits * trait };
  }
  const effects = traits * (dominance ? 4 : 2) * all * m;
  const decoded = operations.decoded + times * (dominance ? 2 : 1) * all * m;
  if (hasErrors(task)) {
    const fits = traits * (knownErrorOperations(task, n) + 2 * n * n * all);
    return { ...operations, double: kinships + fits + effects, decoded };
  }
  if (!dominance) {
    const double = kinships + groups * 2 * n * n * all + effects;
    return { ...operations, double, tridiagonal: groups * (4 / 3) * n ** 3, decoded };
  }
  return { ...operations, double: kinships + traits * (searchOperations(n) + 2 * n * n * all) + effects, decoded };
}

/** Steps of a search for the covariances of several traits, from all its starts. */
const TOGETHER_STEPS = 45;
/**
 * Of all steps, by line and cube of the traits, and by line, missing record and square of the traits: sums over small
 * matrices. As many products at full speed take the time measured (300 and 600 lines, two to six traits).
 */
const SMALL_MATRICES = 480_000;
const MISSING_RECORD = 64_000;

/** Time of a fit of several traits, of whose records so many are missing, beside its decomposition. */
const togetherSteps = (n: number, traits: number, missing: number): number =>
  SMALL_MATRICES * n * traits ** 3 +
  MISSING_RECORD * n * missing * traits ** 2 +
  TOGETHER_STEPS * (4 * missing ** 2 * n + INVERSE * missing ** 3);

/**
 * Of traits fitted together; the evaluation does so for folds of lines, for folds of the records of each trait, and
 * with each trait alone. Records that are missing at the beginning are not known before names are matched.
 */
function withTogether(
  task: EngineTask,
  operations: Omit<OperationCounts, 'double'>,
  kinships: number,
): OperationCounts {
  const { individuals: all, observed: n, markers: m, traits, folds = 5, repetitions = 10 } = task;
  if (task.analysis === 'train') {
    return {
      ...operations,
      double: kinships + togetherSteps(n, traits, 0) + traits * (2 * n * n * all + 2 * all * m),
      eigen: EIGEN * n ** 3,
      decoded: operations.decoded + all * m,
    };
  }
  const parts = folds * repetitions;
  const trained = n - n / folds;
  const alone = operationsOfIndividuals({ ...task, together: false });
  return {
    ...alone,
    double: alone.double + parts * (togetherSteps(trained, traits, 0) + traits * togetherSteps(n, traits, n / folds)),
    eigen: alone.eigen + parts * EIGEN * (trained ** 3 + traits * n ** 3),
  };
}

/** Of a fit of several traits, and tests of each marker on them: its rotation, and its squares for pairs of traits. */
function testsTogether({ observed: n, markers: m, traits, chromosomesLeftOut = 0 }: EngineTask): OperationCounts {
  const models = 1 + chromosomesLeftOut;
  const passes = chromosomesLeftOut === 0 ? 1 : 2;
  const pairs = PAIR_OF_TRAITS * traits * (traits + 1);
  return {
    double: (passes + 2) * n * n * m + models * togetherSteps(n, traits, 0) + pairs * n * m,
    single: 0,
    tridiagonal: 0,
    eigen: models * EIGEN * n ** 3,
    decoded: (passes + 1) * n * m,
  };
}

/** Of a call and two traits: products of one row with few columns run at a tenth of the speed of large ones. */
const PAIR_OF_TRAITS = 10;

/**
 * Of a test of a gene action, by individual and column with those of mean and trait: some 60 likelihoods of variances.
 * As many products at full speed take the time measured (1,000 tetraploids, one column and four).
 */
const GENE_ACTION_SEARCH = 15_000;

/** Operations with those of gene actions. */
function withGeneActions(task: EngineTask, operations: OperationCounts): OperationCounts {
  const { geneActions = [], together = false } = task;
  if (geneActions.length === 0 || together) return operations;
  const further = operationsOfGeneActions(task);
  return {
    ...operations,
    double: operations.double + further.double,
    eigen: operations.eigen + further.eigen,
    decoded: operations.decoded + further.decoded,
  };
}

/** Of gene actions alone, which have a kinship and rotations of their own for each trait, or for each chromosome. */
export function operationsOfGeneActions(task: EngineTask): OperationCounts {
  const { observed: n, markers: m, traits, geneActions = [], chromosomesLeftOut = 0 } = task;
  const columns = geneActions.reduce((sum, count) => sum + count, 0);
  const searched = columns + 2 * geneActions.length;
  const passes = chromosomesLeftOut === 0 ? 1 : 2;
  return {
    ...{ single: 0, tridiagonal: 0 },
    double: traits * m * (passes * n * n + 2 * columns * n * n + GENE_ACTION_SEARCH * searched * n),
    eigen: traits * (1 + chromosomesLeftOut) * EIGEN * n ** 3,
    decoded: traits * (passes + 1) * n * m,
  };
}

function gwasOfIndividuals(task: EngineTask): OperationCounts {
  if (task.together === true) return testsTogether(task);
  return withGeneActions(task, testsOfCopies(task));
}

function testsOfCopies(task: EngineTask): OperationCounts {
  const { observed: n, markers: m, traits, groups } = task;
  // Leaving chromosomes out, the kinship is computed once as a whole and once by chromosome, and each decomposed.
  const { chromosomesLeftOut: chromosomes = 0, furtherRotations = 0, permutations = 0 } = task;
  const rotations = 1 + furtherRotations + (permutations > 0 ? 1 : 0);
  const permuting =
    permutations *
    (PERMUTED_FIT * Math.max(chromosomes, 1) +
      (PERMUTED_PRODUCT + (task.isFitted === true ? PERMUTED_SEARCH : 0)) * m) *
    n;
  const passes = (chromosomes === 0 ? 1 : 2) + (task.residualLines === true ? 1 : 0);
  const lines = task.residualLines === true ? knownErrorOperations(task, n) : 0;
  return {
    double: groups * (passes * n * n * m + rotations * 2 * n * n * m + lines) + traits * (60 * n * m + permuting),
    single: 0,
    tridiagonal: 0,
    eigen: groups * (1 + chromosomes) * EIGEN * n ** 3,
    decoded: groups * (passes + rotations) * n * m,
  };
}

/**
 * Of a permuted trait: its variances by individual and scan, its product with the markers, and the searches of WALD and
 * LRT, by individual and marker. As many products at full speed take the time measured (maize, 281 × 3,093).
 */
const PERMUTED_FIT = 107_000;
const PERMUTED_PRODUCT = 27;
const PERMUTED_SEARCH = 120;
/** Operations of `dsyevd` over n³. */
const EIGEN = 9;
/** Factors of a REML search in marker space: its scan, and the nodes of each trait. */
const MARKER_SCAN = 11;
const MARKER_NODES = 14;
/** Inverses of WALD and LRT. */
const TEST_NODES = 16;
/** Nodes of the REML search of each trait without a chromosome, each an inverse for all chromosomes. */
const LEFT_OUT_NODES = 6;

export function operationsOfMarkers(task: EngineTask): OperationCounts {
  return withGeneActions(task, operationsOfEquations(task));
}

function operationsOfEquations(task: EngineTask): OperationCounts {
  const { individuals: all, observed: n, markers: m, traits, groups, dominance = false } = task;
  const columns = columnsOf(task);
  const { folds = 5, repetitions = 10 } = task;
  const cube = columns ** 3;
  const chromosomes = task.chromosomesLeftOut ?? 0;
  const isWeighedModel = hasErrors(task) && task.analysis !== 'gwas';
  const search = dominance
    ? traits * filledSearch(columns)
    : isWeighedModel
      ? traits * KNOWN_ERROR_ITERATIONS.markers * INVERSE * cube
      : (groups * MARKER_SCAN * cube) / 3 +
        traits * (chromosomes > 0 ? leftOutSearch(chromosomes) : MARKER_NODES / 3) * cube;
  const products = (task.analysis === 'evaluate' ? traits * (1 + repetitions) : groups) * n * columns * columns;
  const precise = isWhole(task) ? { double: 0, single: products } : { double: products, single: 0 };
  const operations = { ...precise, tridiagonal: 0, eigen: 0 };
  if (task.analysis === 'train') {
    const reliabilities = withReliabilities(all, m, dominance) ? traits * reliabilityOperations(all, m, dominance) : 0;
    return {
      ...operations,
      double: precise.double + search + reliabilities,
      decoded: groups * 2 * n * columns + traits * (reliabilities > 0 ? 2 : 1) * all * columns,
    };
  }
  if (task.analysis === 'evaluate') {
    const ofNodes = isWeighedModel ? KNOWN_ERROR_ITERATIONS.fold * INVERSE : (MARKER_NODES + 1) / 3;
    const fold = dominance ? filledSearch(columns) : ofNodes * cube;
    return {
      ...operations,
      double: precise.double + search + traits * folds * repetitions * fold,
      decoded: traits * (2 + repetitions * (folds + 1)) * n * columns,
    };
  }
  if (task.testedMarkers !== undefined) return testsOfOthers(task, task.testedMarkers, search);
  return {
    ...operations,
    double: precise.double + search + traits * cube + (task.isFitted === true ? groups * TEST_NODES * cube : 0),
    decoded: groups * 2 * n * m,
  };
}

/** REML of a trait without each chromosome, then SCORE by a factor for each and one inverse, over m³. */
const leftOutSearch = (chromosomes: number): number => LEFT_OUT_NODES * INVERSE + chromosomes / 3;

/** Tests of all markers of a panel with the kinship of some: a decomposition, and a rotation of each marker. */
function testsOfOthers(task: EngineTask, tested: number, search: number): OperationCounts {
  const { observed: n, markers: m, traits, groups } = task;
  const products = groups * (n * m * m + 2 * n * m * tested);
  const nodes = task.isFitted === true ? TEST_NODES : 1;
  const rotations = groups * (2 * m * m * tested + 2 * nodes * (traits + 1) * m * tested);
  return {
    double: search + rotations + (isWhole(task) ? 0 : products),
    single: isWhole(task) ? products : 0,
    tridiagonal: 0,
    eigen: groups * EIGEN * m ** 3,
    decoded: groups * (2 * n * m + 3 * n * tested + Math.ceil(tested / TESTED_TOGETHER) * n * m),
  };
}

/** Markers tested together; for each such block those of the kinship are decoded again. */
const TESTED_TOGETHER = 1024;

/** Columns of the equations of the markers. */
const columnsOf = ({ markers, dominance = false }: EngineTask): number => (dominance ? 2 : 1) * markers;

/** Dosages divided by errors are no whole numbers. */
const isWhole = (task: EngineTask): boolean => task.wholeShare === 1 && !hasErrors(task);

const MB = 1e6;

export function individualsMb(task: EngineTask): number {
  const { individuals: all, observed: n } = task;
  const block = (8 * 1024 * all) / MB;
  return Math.max((8 * numbersOfIndividuals(task, all, n)) / MB, geneActionMb(task)) + block;
}

/** Copies of each permuted trait, those of earlier chromosomes that are not yet collected among them. */
const PERMUTED_COPIES = 10;

function numbersOfIndividuals(task: EngineTask, all: number, n: number): number {
  const { analysis, dominance = false, chromosomesLeftOut = 0, permutations = 0, folds = 5 } = task;
  if (analysis === 'gwas' && task.together === true) return (chromosomesLeftOut > 0 ? 9 : 6) * n * n;
  if (analysis === 'gwas')
    return (chromosomesLeftOut > 0 ? 6 : 2.6) * n * n + errorsOfGwas(task) * n * n + PERMUTED_COPIES * permutations * n;
  if (task.together === true) return 2 * all * all + 4 * n * n + 3 * (n / folds) * (n / folds + n);
  if (hasErrors(task)) return numbersOfKnownErrors(task, all, n);
  if (!dominance) {
    return analysis === 'train'
      ? all * all + Math.max(3 * n * n, n * n + 2 * n * all)
      : all * all + (n < all ? 2 : 1) * n * n + (n / 5) ** 2;
  }
  // Both kinships whole, cut and projected, a factor with its inverse, and the one of the point before.
  if (analysis === 'train') return 2 * all * all + Math.max(7 * n * n, 5 * n * n + 2 * n * all);
  const trained = n - n / folds;
  return 2 * all * all + 7 * trained * trained;
}

/**
 * Beside known errors: kinships whole, of the individuals observed, divided by the errors and projected, the factor,
 * their sum, and what reliabilities take; of correlated errors as stored, whole, of the individuals, and their factor.
 */
function numbersOfKnownErrors(task: EngineTask, all: number, n: number): number {
  const { analysis, dominance = false, residualLines = false, folds = 5 } = task;
  const kernels = dominance ? 2 : 1;
  const divided = kernels + (residualLines ? 1 : 0);
  const trained = analysis === 'evaluate' ? n - n / folds : n;
  const ofErrors = task.errors === 'correlated' ? all * all + 2.5 * trained * trained : 0;
  const reliabilities = analysis === 'train' ? 3 * n * all : 0;
  const fits = analysis === 'evaluate' ? UNCOLLECTED_FOLDS : 1;
  return kernels * all * all + fits * (kernels + 2 * divided + 2) * trained * trained + ofErrors + reliabilities;
}

/** Folds whose matrices are there at once: what is left to the collector stays for a while. */
const UNCOLLECTED_FOLDS = 3;

/** n × n matrices of a GWAS beside those without known errors: the division by them, and a fit of residual lines. */
function errorsOfGwas(task: EngineTask): number {
  if (!hasErrors(task)) return 0;
  return 1.4 + (task.errors === 'correlated' ? 2.5 : 0) + (task.residualLines === true ? 4.5 : 0);
}

/** Tiles of dosages in single and double precision, and those of reliabilities. */
const TILES_MB = { train: 900, evaluate: 400, gwas: 400 };
/** All in double precision with known errors, and more of them. */
const WEIGHED_TILES = 1.6;
/** And bytes an individual that do not depend on the markers: blocks in double precision. */
const WEIGHED_BLOCK = 6000;

/**
 * Of gene actions: a kinship, which becomes its eigenvectors, and what the decomposition takes; where chromosomes are
 * left out also the product of all, and of the others.
 */
export const geneActionMb = ({ observed: n, geneActions = [], chromosomesLeftOut = 0 }: EngineTask): number =>
  geneActions.length === 0 ? 0 : (8 * (chromosomesLeftOut === 0 ? 3 : 5) * n * n) / MB;

export function markersMb(task: EngineTask): number {
  return Math.max(equationsMb(task), geneActionMb(task));
}

function equationsMb(task: EngineTask): number {
  const { analysis, individuals: all, markers: m, traits } = task;
  const columns = columnsOf(task);
  const packed = (all * m) / 4 / MB;
  const series = analysis === 'gwas' ? (8 * 2 * TEST_NODES * (traits + 1) * m) / MB : 0;
  const share = hasErrors(task) ? WEIGHED_TILES : 1;
  const tiles = share * Math.min(TILES_MB[analysis], (12 * share * all * columns) / MB);
  const weighed = hasErrors(task) ? (WEIGHED_BLOCK * all) / MB : 0;
  const block = task.testedMarkers === undefined ? 0 : (4 * 8 * TESTED_TOGETHER * m) / MB;
  return packed + (bytesOfSquare(task) * columns * columns) / MB + series + tiles + weighed + block;
}

/** Bytes a pair of columns: products, those of a fold, a factor, and a decomposition. */
function bytesOfSquare(task: EngineTask): number {
  const products = isWhole(task) ? 4 : 8;
  const further = task.testedMarkers !== undefined ? DECOMPOSED : isDominanceTraining(task) ? LAST_BLOCK : 0;
  return (task.analysis === 'evaluate' ? 2 : 1) * products + 8 + further;
}

const isDominanceTraining = ({ analysis, dominance = false }: EngineTask): boolean => analysis === 'train' && dominance;
/** Bytes of a quarter of a factor, for reliabilities. */
const LAST_BLOCK = 2;

/** Bytes of a decomposition, for each pair of columns. */
const DECOMPOSED = 20;

/** Share of the memory that matrices of the markers may take, beside calls and tiles. */
const SHARE_OF_MATRICES = 0.7;

/** About how many markers fit, in thousands. */
export function mostMarkers(task: EngineTask, memoryMb: number): number {
  const columns = Math.sqrt((SHARE_OF_MATRICES * memoryMb * MB) / bytesOfSquare(task));
  return Math.floor(columns / (task.dominance === true ? 2 : 1) / 1000) * 1000;
}
