import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { AnalysisError } from '../context.ts';
import {
  geneActionMb,
  individualsMb,
  markersMb,
  mostMarkers,
  type OperationCounts,
  operationsOfGeneActions,
  operationsOfIndividuals,
  operationsOfMarkers,
} from './engine-costs.ts';
import type { Engine, EngineTask } from './engine-task.ts';
import { type MachineRates, NOMINAL_RATES } from './machine-rates.ts';

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
  /** Of markers, or those of the kinship of a GWAS, that will be pruned by LD to fit; see `planWithPruning`. */
  pruning?: { markers: number; atMost: number };
}

/** What the machine has. */
export interface Machine {
  threads: number;
  memoryMb: number;
  rates?: MachineRates;
}

/** Below this number of individuals the kinship of the individuals takes seconds at most. */
const FEW_INDIVIDUALS = 1000;

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
    const need = only === individuals ? task.needsIndividuals : task.needsMarkers;
    // What was asked for, or what the analysis needs, is no defect of the other engine.
    return planOf(only, need === null ? `${NAMES[engine]} cannot be used: ${unusable}` : clauseOf(need));
  }
  const { observed: n, markers: m } = task;
  if (n < FEW_INDIVIDUALS) {
    return planOf(individuals, `${groupedNumber(n)} individuals are fewer than ${groupedNumber(FEW_INDIVIDUALS)}`);
  }
  const nominal = (estimate: EngineEstimate): number => secondsOf(estimate.operations, NOMINAL_RATES, 1);
  const best = nominal(markers) < nominal(individuals) ? markers : individuals;
  const times = nominal(best === markers ? individuals : markers) / nominal(best);
  const sizes = `${groupedNumber(n)} individuals and ${groupedNumber(m)} markers`;
  return planOf(best, `with ${sizes} ${NAMES[best.engine]} takes ${ratioOf(times)} of the time of the other`);
}

const NAMES: Record<Engine, string> = {
  individuals: 'the kinship of the individuals (n × n)',
  markers: 'the equations of the markers (m × m)',
};

/** A sentence as part of another. */
const clauseOf = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');

/** "about 71 %", or "about 1/40", of the number of times that something is slower. */
function ratioOf(times: number): string {
  return times < 10 ? `about ${Math.round(100 / times)} %` : `about 1/${Math.round(times)}`;
}

function estimateOf(engine: Engine, task: EngineTask, machine: Machine, rates: MachineRates): EngineEstimate {
  const operations = engine === 'individuals' ? operationsOfIndividuals(task) : operationsOfMarkers(task);
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

/** What the tests of gene actions take, without those of copies. */
export function estimateGeneActions(
  task: EngineTask,
  machine: Machine,
): Pick<EngineEstimate, 'seconds' | 'memoryMb' | 'diskMb'> {
  const operations = operationsOfGeneActions(task);
  return {
    seconds: START_SECONDS + secondsOf(operations, machine.rates ?? NOMINAL_RATES, machine.threads),
    memoryMb: BASE_MB + geneActionMb(task),
    diskMb: diskMb({ ...task, traits: (task.geneActions ?? []).length }),
  };
}

/** Start of the process, reading of names, compiling. */
const START_SECONDS = 0.9;
/** Megabytes of the process itself with its buffers. */
export const BASE_MB = 150;
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
  const affordable = mostMarkers(task, machine.memoryMb);
  const { chromosomesLeftOut = 0 } = task;
  return new AnalysisError(
    'analysis/does-not-fit',
    `${groupedNumber(task.observed)} individuals × ${groupedNumber(task.markers)} markers need ${gigabytes(best.memoryMb)} of memory, and this machine has ${gigabytes(machine.memoryMb)}.`,
    task.needsIndividuals === null
      ? `Prune the markers by LD to at most ${groupedNumber(affordable)}, or use a machine with more memory.`
      : `Use fewer individuals or a machine with more memory. ${task.needsIndividuals}`,
    {
      individuals: task.observed,
      markers: task.markers,
      memory_mb: Math.round(best.memoryMb),
      machine_mb: Math.round(machine.memoryMb),
      // Chromosomes are left out of the equations of the markers that are tested.
      prunable: task.needsIndividuals === null && chromosomesLeftOut === 0,
    },
  );
}
