import type { ChangeEvent } from '@heterosis/contracts/events';
import type { Progress, Stage } from '@heterosis/contracts/runs';
import { sql } from 'kysely';
import type { ComputeProgress } from '../../platform/compute/compute.ts';
import type { Database } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Logger } from '../../platform/logging/logger.ts';
import type { Run } from './runs.queries.ts';

export interface ProgressWriterOptions {
  runId: string;
  attempt: number;
  /** The entity as the event stream names it. */
  event: Pick<ChangeEvent, 'type' | 'id' | 'project_id' | 'organization_id'>;
  /** Traits that the progress is about; the empty text stands for an entity without traits. */
  traits: readonly string[];
  logger: Logger;
}

/**
 * Writes progress into the run's row and tells those who watch. Reports that come while one is being written are dropped
 * (the next one says more); a report that cannot be written does not stop the run.
 */
export function createProgressWriter(
  db: Database,
  { runId, attempt, event, traits, logger }: ProgressWriterOptions,
): (progress: ComputeProgress) => void {
  let isWriting = false;
  return ({ stage, done, total }) => {
    if (isWriting) return;
    isWriting = true;
    const write = async () => {
      const row = await db
        .updateTable('runs')
        .set({ stage, progress_done: done, progress_total: total, updated_at: sql<string>`now()` })
        .where('id', '=', runId)
        .where('attempt', '=', attempt)
        .where('state', '=', 'RUNNING')
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) return;
      await publishEvent(db, {
        ...event,
        progress: Object.fromEntries(traits.map((trait) => [trait, { stage, done, total }])),
      });
    };
    write()
      .catch((error: unknown) => logger.warn({ err: error, run_id: runId }, 'progress could not be written'))
      .finally(() => {
        isWriting = false;
      });
  };
}

/** What the API says of a run under way; null when it has ended. */
export function progressOf(run: Run | undefined): Progress | null {
  if (run === undefined || run.finished_at !== null) return null;
  return {
    stage: run.stage as Stage,
    done: run.progress_done,
    total: run.progress_total,
    started_at: run.started_at,
  };
}
