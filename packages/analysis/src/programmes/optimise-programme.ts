import {
  type Evaluation,
  nextTrials,
  type SearchPlan,
  type SearchResult,
  summarizeSearch,
  type Trial,
} from '@heterosis/statgen/programmes/allocations/search-allocations';
import type { Scheme } from '@heterosis/statgen/programmes/scheme';
import type { ProgrammeKey } from '@heterosis/statgen/programmes/summarize-replicates';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { openSimulator, type ReplicateJob, type ReplicateSimulator } from './run-programme.ts';
import type { ReplicateTask } from './run-replicate.ts';

/** A quantity of the results; the last cycle that has it unless one is named. */
export interface Objective {
  stage: string;
  quantity: string;
  cycle?: number | undefined;
  /** Whether low values are wanted. */
  low?: boolean | undefined;
}

/** What is searched: numbers of a scheme, and what is wanted of it. */
export interface ProgrammeSearch {
  plan: SearchPlan;
  /** Gain, and perhaps diversity. */
  objectives: readonly Objective[];
  /** Replicates of each evaluation. */
  replicates: number;
  schemeAt(allocation: readonly number[]): Scheme;
}

/**
 * The numbers of a scheme that gain most under a budget, by Gaussian-process search: every allocation meets the same
 * replicates, and each round of trials depends on the results of those before alone, so that the number of threads
 * changes no byte.
 *
 * @throws StatgenError of the first replicate that fails, and `bad-option` where nothing can be paid or measured
 */
export async function optimiseProgramme(
  task: Omit<ReplicateTask, 'scheme'>,
  search: ProgrammeSearch,
  context: AnalysisContext,
): Promise<SearchResult & { evaluations: Evaluation[] }> {
  const { plan } = search;
  const known: Evaluation[] = [];
  const simulator = openSimulator(task, context);
  try {
    for (;;) {
      const trials = nextTrials(plan, known);
      if (trials.length === 0) break;
      known.push(...(await simulateTrials(simulator, search, { trials, done: known.length }, context)));
    }
  } finally {
    await simulator.close();
  }
  requireTrials(known);
  return { ...summarizeSearch(plan, known), evaluations: known };
}

/** @throws StatgenError `bad-option` */
function requireTrials(known: readonly Evaluation[]): void {
  if (known.length === 0)
    throw new StatgenError('bad-option', 'no allocation of the numbers can be paid and done within the budget');
}

/** Simulates some trials. @throws StatgenError as `optimiseProgramme` */
export async function simulateTrials(
  simulator: ReplicateSimulator,
  { plan, objectives, replicates, schemeAt }: ProgrammeSearch,
  { trials, done }: { trials: readonly Trial[]; done: number },
  context: AnalysisContext,
): Promise<Evaluation[]> {
  const jobs = trials.flatMap(({ allocation, block }): ReplicateJob[] => {
    const scheme = schemeAt(allocation);
    return Array.from({ length: replicates }, (_, r) => ({ scheme, replicate: block * replicates + r }));
  });
  const values = trials.map(() => objectives.map(() => new Float64Array(replicates)));
  let ended = done * replicates;
  const total = plan.evaluations * replicates;
  reportProgress(context, 'simulate', ended, total);
  await simulator.simulate(jobs, (place, result) => {
    for (const [o, objective] of objectives.entries())
      values[Math.floor(place / replicates)][o][place % replicates] = valueOf(objective, result.keys, result.values);
    reportProgress(context, 'simulate', ++ended, total);
  });
  return trials.map((trial, i) => ({ ...trial, values: values[i] }));
}

/** Larger is better. @throws StatgenError `bad-option` where it was not measured, or does not exist */
function valueOf(
  { stage, quantity, cycle, low }: Objective,
  keys: readonly ProgrammeKey[],
  values: Float64Array,
): number {
  const place = keys.findLastIndex(
    (key) => key.stage === stage && key.quantity === quantity && (cycle === undefined || key.cycle === cycle),
  );
  const of = cycle === undefined ? '' : ` in cycle ${cycle}`;
  if (place < 0) {
    const known = [...new Set(keys.filter((key) => key.stage === stage).map((key) => key.quantity))].join(', ');
    throw new StatgenError(
      'bad-option',
      `stage "${stage}" of the results has no ${quantity}${of}; it has ${known || 'nothing'}`,
    );
  }
  if (!Number.isFinite(values[place]))
    throw new StatgenError('bad-option', `${quantity} of stage "${stage}"${of} does not exist in every replicate`);
  return low === true ? -values[place] : values[place];
}
