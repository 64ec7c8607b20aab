import type { Queryable } from '../../platform/database/database.ts';
import type { JobReference } from '../../platform/job-queue/job-queue.ts';

/** What models ask the features that use them; the entry point supplies it. */
export interface ModelDependants {
  /** The model went: ends the runs that still need it and returns their jobs for cancelling. */
  endRunsOf(db: Queryable, projectId: string, modelId: string): Promise<JobReference[]>;
}
