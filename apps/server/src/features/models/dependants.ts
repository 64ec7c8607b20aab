import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Services } from '../../platform/http/app.ts';
import type { JobReference } from '../../platform/job-queue/job-queue.ts';

/** What models ask the features that use them; the entry point supplies it. */
export interface ModelDependants {
  /** The model went: ends the runs that still need it and returns their jobs for cancelling. */
  endRunsOf(services: Services, trx: DatabaseTransaction, projectId: string, modelId: string): Promise<JobReference[]>;
}
