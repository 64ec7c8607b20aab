import type { OptimumReport } from '@heterosis/analysis/programmes/optimum-report';
import { publishEvent } from '../../../platform/events/events.ts';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { Division, PartStep } from '../runs/work/index.ts';
import { insertEvaluations, readEvaluations, type StoredEvaluation } from './evaluations.queries.ts';
import type { FinishProgrammePayload, SimulateReplicatesPayload } from './jobs.ts';
import type { PlannedTrial, PlannedTrials, PlanTrialsInput } from './plan-trials.compute.ts';
import type { Inputs } from './programme-work.ts';
import type { ProgrammeRow } from './programmes.queries.ts';
import type { SimulateTrialsInput } from './simulate-trials.compute.ts';

const PLAN = new URL('./plan-trials.compute.ts', import.meta.url);
const SIMULATE = new URL('./simulate-trials.compute.ts', import.meta.url);

/** What a search of numbers is of. */
function searchOf({ parameters, seed }: ProgrammeRow): Pick<PlanTrialsInput, 'scheme' | 'search' | 'seed'> {
  const [scheme] = parameters.schemes;
  const { optimise: search } = parameters;
  if (scheme === undefined || search === undefined) throw new Error('The run searches no numbers.');
  return { scheme, search, seed };
}

/** A part takes about so many seconds, and a round has at most so many parts. */
const SECONDS_OF_PART = 10;
const MOST_PARTS = 4;

type Next = { found: Found } | { division: Division<SimulateReplicatesPayload, FinishProgrammePayload> };

/** What a search has found, and its files by kind. */
export interface Found {
  optimum: OptimumReport;
  files: Record<string, string>;
}

/** The parts of the next round, or of what is missing in it; or what the search has found. */
export async function nextRound(
  { db }: WorkerServices,
  row: ProgrammeRow,
  { inputs, step, seconds }: { inputs: Inputs; step: PartStep; seconds: number },
): Promise<Next> {
  const { prefix, directory } = step;
  const { storage } = inputs;
  const asked = searchOf(row);
  const known = await readEvaluations(db, row.id);
  const { trials, optimum, files } = await step.run<PlanTrialsInput, PlannedTrials>(PLAN, {
    ...{ storage, prefix, directory, known },
    ...asked,
  });
  if (optimum !== null) return { found: { optimum, files } };
  const wanted = Math.ceil((trials.length * asked.search.replicates * seconds) / SECONDS_OF_PART);
  const size = Math.ceil(trials.length / Math.min(MOST_PARTS, Math.max(1, wanted)));
  const parts = Array.from({ length: Math.ceil(trials.length / size) }, (_, i) => {
    const own = trials.slice(i * size, (i + 1) * size);
    return {
      ...{ first: own[0]?.place ?? 0, count: own.length, total: asked.search.evaluations },
      trials: own,
    };
  });
  return { division: { parts, last: { seconds } } };
}

/** Simulates allocations, and stores them at once. */
export async function simulateRound(
  { db }: WorkerServices,
  row: ProgrammeRow,
  { inputs, trials, step }: { inputs: Inputs; trials: PlannedTrial[]; step: PartStep },
): Promise<void> {
  const { storage, truth } = inputs;
  const { prefix, directory } = step;
  const found = await step.run<SimulateTrialsInput, StoredEvaluation[]>(SIMULATE, {
    ...{ storage, truth, prefix, directory, trials },
    ...searchOf(row),
  });
  await insertEvaluations(db, row.id, found);
  const { id, project_id, organization_id } = row;
  await publishEvent(db, { type: 'programme', id, project_id, organization_id });
}
