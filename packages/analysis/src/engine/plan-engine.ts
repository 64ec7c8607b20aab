import { AnalysisError } from '../context.ts';
import { type MachineRates, NOMINAL_RATES } from './machine-rates.ts';

/**
 * How the mixed model is computed. All give the same numbers:
 * - `individuals`: from the kinship of the individuals, n × n;
 * - `markers`: from the equations of the markers, m × m, for more individuals than markers.
 */
export type Engine = 'individuals' | 'markers';

/** What an analysis has to compute. */
export interface EngineTask {
  analysis: 'train' | 'evaluate' | 'gwas';
  /** Genotyped. */
  individuals: number;
  /** With a value of the trait; the largest number where traits differ. */
  observed: number;
  /** Of the panel, before the filters. */
  markers: number;
  /** Traits, and groups of them that are observed on the same individuals. */
  traits: number;
  groups: number;
  /** Why only the kinship of the individuals can be used; null where both can. */
  needsIndividuals: string | null;
  /** Why only the markers can be used; null where both can. */
  needsMarkers: string | null;
  folds?: number;
  repetitions?: number;
  /** Whether variances are estimated again for every marker (WALD, LRT). */
  isFitted?: boolean;
  /** Chromosomes that a GWAS leaves out one by one; default none. */
  chromosomesLeftOut?: number;
  /** Share of the markers whose products a training or evaluation sums in single precision, 0–1; default 0. */
  wholeShare?: number;
  /** Times that a GWAS rotates the markers besides testing them: permutations, steps of a multi-locus model. */
  furtherRotations?: number;
}

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

export interface EngineEstimate {
  engine: Engine;
  seconds: number;
  memoryMb: number;
  /** Results and temporary files. */
  diskMb: number;
  operations: OperationCounts;
  /** Why it cannot be used; null where it can. */
  unusable: string | null;
}

export interface EnginePlan {
  engine: Engine;
  /** One sentence. */
  reason: string;
  estimate: EngineEstimate;
  other: EngineEstimate;
}

/** What the machine has. */
export interface Machine {
  threads: number;
  memoryMb: number;
  rates?: MachineRates;
}

/** Below this number of individuals the kinship of the individuals takes seconds at most. */
const FEW_INDIVIDUALS = 1000;
/** Reliabilities in marker space cost N·m²; above they are left out. */
const MOST_FOR_RELIABILITIES = 3e12;

/** Whether a training in marker space computes reliabilities. */
export function withReliabilities(individuals: number, markers: number): boolean {
  return individuals * markers * markers <= MOST_FOR_RELIABILITIES;
}

/**
 * Chooses how to compute: by nominal rates, so that the choice is the same on every machine on which both fit.
 *
 * @throws AnalysisError `analysis/does-not-fit` when neither fits into memory
 */
export function planEngine(task: EngineTask, machine: Machine): EnginePlan {
  const rates = machine.rates ?? NOMINAL_RATES;
  const individuals = estimateOf('individuals', task, machine, rates);
  const markers = estimateOf('markers', task, machine, rates);
  const usable = [individuals, markers].filter(({ unusable }) => unusable === null);
  const [only] = usable;
  if (only === undefined) throw doesNotFit(task, machine, individuals, markers);
  const planOf = (estimate: EngineEstimate, reason: string): EnginePlan => ({
    engine: estimate.engine,
    reason,
    estimate,
    other: estimate === individuals ? markers : individuals,
  });
  if (usable.length === 1) {
    const { unusable, engine } = only === individuals ? markers : individuals;
    return planOf(only, `${NAMES[engine]} cannot be used: ${unusable}`);
  }
  const { observed: n, markers: m } = task;
  if (n < FEW_INDIVIDUALS) {
    return planOf(individuals, `${count(n)} individuals are fewer than ${count(FEW_INDIVIDUALS)}`);
  }
  const nominal = (estimate: EngineEstimate): number => secondsOf(estimate.operations, NOMINAL_RATES, 1);
  const best = nominal(markers) < nominal(individuals) ? markers : individuals;
  const times = nominal(best === markers ? individuals : markers) / nominal(best);
  const sizes = `${count(n)} individuals and ${count(m)} markers`;
  return planOf(best, `with ${sizes} ${NAMES[best.engine]} takes ${ratioOf(times)} of the time of the other`);
}

const NAMES: Record<Engine, string> = {
  individuals: 'the kinship of the individuals (n × n)',
  markers: 'the equations of the markers (m × m)',
};

const count = (value: number): string => value.toLocaleString('en');

/** "1/4", of the number of times that something is slower. */
function ratioOf(times: number): string {
  return times < 1.5 ? 'about nine tenths' : `about 1/${Math.round(times)}`;
}

function estimateOf(engine: Engine, task: EngineTask, machine: Machine, rates: MachineRates): EngineEstimate {
  const operations = engine === 'individuals' ? ofIndividuals(task) : ofMarkers(task);
  const memoryMb = BASE_MB + (engine === 'individuals' ? individualsMb(task) : markersMb(task));
  const reason = engine === 'individuals' ? task.needsMarkers : task.needsIndividuals;
  return {
    engine,
    seconds: START_SECONDS + secondsOf(operations, rates, machine.threads),
    memoryMb,
    diskMb: diskMb(task),
    operations,
    unusable:
      reason ??
      (memoryMb > machine.memoryMb
        ? `it needs ${gigabytes(memoryMb)} of memory, and ${gigabytes(machine.memoryMb)} are there`
        : null),
  };
}

/** Start of the process, reading of names, compiling. */
const START_SECONDS = 0.9;
/** The process itself with its buffers. */
const BASE_MB = 150;
const MB = 1e6;

function secondsOf(operations: OperationCounts, rates: MachineRates, threads: number): number {
  const speed = 1 + (threads - 1) * rates.threadShare;
  return (
    operations.double / (rates.double * speed) +
    operations.single / (rates.single * speed) +
    operations.tridiagonal / (rates.tridiagonal * Math.min(speed, 2)) +
    operations.eigen / (rates.eigen * speed) +
    operations.decoded / rates.decoded
  );
}

/** Time of an inverse over that of a product of as many operations. */
const INVERSE = 1.6;
/** As many nodes as `fold-inverses` uses at most, and factors of its scan. */
const NODES = 10;
const SCAN = 4;

function ofIndividuals(task: EngineTask): OperationCounts {
  const { individuals: all, observed: n, markers: m, traits, groups, wholeShare = 0 } = task;
  const cube = n ** 3;
  const single = wholeShare * all * all * m;
  const kinship = all * all * m - single;
  if (task.analysis === 'train') {
    return {
      double: kinship + groups * 2 * n * n * all + traits * 2 * all * m,
      single,
      tridiagonal: groups * (4 / 3) * cube,
      eigen: 0,
      decoded: 2 * all * m,
    };
  }
  if (task.analysis === 'evaluate') {
    const { folds = 5, repetitions = 10 } = task;
    const block = (INVERSE * (n / folds) ** 3) / 3;
    return {
      double: kinship + traits * (NODES * INVERSE * cube + (SCAN * cube) / 3 + folds * repetitions * NODES * block),
      single,
      tridiagonal: 0,
      eigen: 0,
      decoded: all * m,
    };
  }
  // Leaving chromosomes out, the kinship is computed once as a whole and once by chromosome, and each decomposed.
  const { chromosomesLeftOut: chromosomes = 0, furtherRotations = 0 } = task;
  const rotations = 1 + furtherRotations;
  const passes = chromosomes === 0 ? 1 : 2;
  return {
    double: groups * (passes * n * n * m + rotations * 2 * n * n * m) + traits * 60 * n * m,
    single: 0,
    tridiagonal: 0,
    eigen: groups * (1 + chromosomes) * EIGEN * cube,
    decoded: groups * (passes + rotations) * n * m,
  };
}

/** Operations of `dsyevd` over n³. */
const EIGEN = 9;
/** Factors of a REML search in marker space: its scan, and the nodes of each trait. */
const MARKER_SCAN = 11;
const MARKER_NODES = 14;
/** Inverses of WALD and LRT. */
const TEST_NODES = 16;

function ofMarkers(task: EngineTask): OperationCounts {
  const { individuals: all, observed: n, markers: m, traits, groups } = task;
  const cube = m ** 3;
  const search = ((groups * MARKER_SCAN + traits * MARKER_NODES) * cube) / 3;
  const operations = { double: search, single: groups * n * m * m, tridiagonal: 0, eigen: 0, decoded: 0 };
  if (task.analysis === 'train') {
    const reliabilities = withReliabilities(all, m) ? traits * all * m * m : 0;
    return {
      ...operations,
      double: search + reliabilities,
      decoded: groups * 2 * n * m + traits * (reliabilities > 0 ? 2 : 1) * all * m,
    };
  }
  if (task.analysis === 'evaluate') {
    const { folds = 5, repetitions = 10 } = task;
    return {
      ...operations,
      single: traits * (1 + repetitions) * n * m * m,
      double: search + (traits * folds * repetitions * (MARKER_NODES + 1) * cube) / 3,
      decoded: traits * (2 + repetitions * (folds + 1)) * n * m,
    };
  }
  return {
    ...operations,
    double: search + traits * cube + (task.isFitted === true ? groups * TEST_NODES * cube : 0),
    decoded: groups * 2 * n * m,
  };
}

function individualsMb({ analysis, individuals: all, observed: n, chromosomesLeftOut = 0 }: EngineTask): number {
  const block = (8 * 1024 * all) / MB;
  const matrices =
    analysis === 'train'
      ? all * all + Math.max(3 * n * n, n * n + 2 * n * all)
      : analysis === 'evaluate'
        ? all * all + (n < all ? 2 : 1) * n * n + (n / 5) ** 2
        : (chromosomesLeftOut > 0 ? 6 : 3.5) * n * n;
  return (8 * matrices) / MB + block;
}

/** Tiles of dosages in single and double precision, and those of reliabilities. */
const TILES_MB = { train: 900, evaluate: 400, gwas: 400 };

function markersMb({ analysis, individuals: all, markers: m, traits }: EngineTask): number {
  const packed = (all * m) / 4 / MB;
  const products = analysis === 'evaluate' ? 2 * 4 : 4;
  const series = analysis === 'gwas' ? (8 * 2 * TEST_NODES * (traits + 1) * m) / MB : 0;
  return packed + ((products + 8) * m * m) / MB + series + Math.min(TILES_MB[analysis], (12 * all * m) / MB);
}

function diskMb({ analysis, individuals, markers, traits }: EngineTask): number {
  if (analysis === 'gwas') return (260 * markers * traits) / MB;
  if (analysis === 'evaluate') return (40 * individuals * traits) / MB;
  return (120 * markers + traits * (22 * markers + 66 * individuals)) / MB;
}

/** "3.4 GB". */
export function gigabytes(mb: number): string {
  if (mb < 1000) return `${Math.round(mb)} MB`;
  return `${mb < 10_000 ? (mb / 1000).toFixed(1) : Math.round(mb / 1000)} GB`;
}

function doesNotFit(
  task: EngineTask,
  machine: Machine,
  individuals: EngineEstimate,
  markers: EngineEstimate,
): AnalysisError {
  const least = [individuals, markers].filter(
    ({ engine }) => (engine === 'individuals' ? task.needsMarkers : task.needsIndividuals) === null,
  );
  const [best = individuals] = least.toSorted((a, b) => a.memoryMb - b.memoryMb);
  const affordable = Math.floor(Math.sqrt((0.7 * machine.memoryMb * MB) / 12) / 1000) * 1000;
  return new AnalysisError(
    'analysis/does-not-fit',
    `${count(task.observed)} individuals × ${count(task.markers)} markers need ${gigabytes(best.memoryMb)} of memory, and this machine has ${gigabytes(machine.memoryMb)}.`,
    task.needsIndividuals === null
      ? `Prune the markers by LD to at most ${count(affordable)}, or use a machine with more memory.`
      : `Use fewer individuals or a machine with more memory. ${task.needsIndividuals}`,
    {
      individuals: task.observed,
      markers: task.markers,
      memory_mb: Math.round(best.memoryMb),
      machine_mb: Math.round(machine.memoryMb),
      prunable: task.needsIndividuals === null,
    },
  );
}
