import type { Reference } from '@heterosis/contracts/common';
import type { RunKind } from '@heterosis/contracts/run-kinds';
import type { DatabaseTransaction, Queryable } from '../../platform/database/database.ts';
import type { Services } from '../../platform/http/app.ts';
import type { JobReference } from '../../platform/job-queue/job-queue.ts';

export interface Dependant extends Reference {
  kind: RunKind;
}

/** What the files feature asks those that use files; the entry point supplies them. */
export interface FileDependants {
  /** What uses the file as an input, not counting what is in the bin. */
  listDependants(db: Queryable, projectId: string, fileId: string): Promise<Dependant[]>;
  /** The file went: ends the runs that still need it with a clear error and returns their jobs for cancelling. */
  endRunsOf(services: Services, trx: DatabaseTransaction, projectId: string, fileId: string): Promise<JobReference[]>;
}
