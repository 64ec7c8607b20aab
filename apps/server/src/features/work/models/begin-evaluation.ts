import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import { beginRun } from '../runs/work/index.ts';
import { evaluateModelJob } from './jobs.ts';
import type { ModelRow } from './models.queries.ts';

/** Begins the evaluation of the trained traits, in the transaction that stores the training. */
export async function beginEvaluation(
  services: Pick<Services, 'jobs'>,
  trx: DatabaseTransaction,
  model: Pick<ModelRow, 'id' | 'project_id' | 'seed' | 'n_fold' | 'n_repetition' | 'parameters'>,
  by: Parameters<typeof beginRun>[3]['by'],
): Promise<void> {
  const { id, project_id, seed, n_fold, n_repetition } = model;
  const { leave_out } = model.parameters;
  const run = {
    project_id,
    entity_kind: 'model',
    entity_id: id,
    step: 'evaluate',
    by,
    seed,
    isContinuation: true,
    parameters: leave_out === undefined ? { n_fold, n_repetition } : { leave_out },
  } as const;
  await beginRun(services, trx, evaluateModelJob, run);
}
