import { type Progress, type Stage, stage } from '@heterosis/contracts/work/runs';
import { sql } from 'kysely';
import type { ComputeProgress } from '../../../../platform/compute/compute.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { type PublishedEvent, publishEvent } from '../../../../platform/events/events.ts';
import type { Logger } from '../../../../platform/logging/logger.ts';
import type { Run } from './runs.queries.ts';

export interface ProgressWriterOptions {
  runId: string;
  attempt: number;
  /** The entity's name in the event stream. */
  event: PublishedEvent;
  /** Traits that the progress applies to; an empty string represents an entity without traits. */
  traits: readonly string[];
  logger: Logger;
  /** For one of several jobs of a run: its name, and the total over all of them. */
  part?: { name: string; total: number };
}

/**
 * Writes progress to the row of the run and publishes it. Progress only moves forward: an analysis returns to earlier
 * stages for each group of traits, and the progress bar must not jump back. While a report is being written, only the
 * newest of the pending ones is kept. A report that cannot be written does not stop the run.
 */
export function createProgressWriter(
  db: Database,
  { runId, attempt, event, traits, logger, part }: ProgressWriterOptions,
): (progress: ComputeProgress) => void {
  let isWriting = false;
  let next: ComputeProgress | undefined;
  let furthest: ComputeProgress | undefined;

  const write = async ({ stage: name, ...reached }: ComputeProgress): Promise<void> => {
    const row = await db
      .updateTable('runs')
      .set({
        stage: name,
        stage_started_at: sql<string>`case when stage = ${name} then stage_started_at else now() end`,
        ...(part === undefined ? ofOne(reached.done, reached.total) : ofPart(part, reached.done)),
        updated_at: sql<string>`now()`,
      })
      .where('id', '=', runId)
      .where('attempt', '=', attempt)
      .where('state', '=', 'RUNNING')
      .returning(['progress_done', 'progress_total', 'stage_started_at'])
      .executeTakeFirst();
    if (row === undefined) return;
    const { progress_done: done, progress_total: total, stage_started_at: started_at } = row;
    const progress = { stage: name, done, total, started_at };
    await publishEvent(db, { ...event, progress: Object.fromEntries(traits.map((trait) => [trait, progress])) });
  };
  const writeAll = async (): Promise<void> => {
    for (let progress = next; progress !== undefined; progress = next) {
      next = undefined;
      await write(progress);
    }
  };
  return (progress) => {
    if (furthest !== undefined && !isFurther(progress, furthest)) return;
    furthest = progress;
    next = progress;
    if (isWriting) return;
    isWriting = true;
    writeAll()
      .catch((error: unknown) => logger.warn({ err: error, run_id: runId }, 'progress could not be written'))
      .finally(() => {
        isWriting = false;
      });
  };
}

const STAGES: readonly string[] = stage.options;

function isFurther(one: ComputeProgress, other: ComputeProgress): boolean {
  const stages = STAGES.indexOf(one.stage) - STAGES.indexOf(other.stage);
  return stages !== 0 ? stages > 0 : one.done / Math.max(1, one.total) > other.done / Math.max(1, other.total);
}

const ofOne = (done: number, total: number) => ({ progress_done: done, progress_total: total });

/** A part that starts over because its worker was killed keeps its old count until it passes it. */
const ofPart = ({ name, total }: { name: string; total: number }, done: number) => {
  const parts = sql`progress_parts || jsonb_build_object(
    ${name}::text, greatest(${done}::float8, (progress_parts ->> ${name}::text)::float8))`;
  return {
    progress_parts: sql<Record<string, number>>`${parts}`,
    progress_done: sql<number>`(select sum(value::float8) from jsonb_each_text(${parts}))`,
    progress_total: total,
  };
};

/** The progress of a run in the API; null when the run has ended. */
export function progressOf(run: Run | undefined): Progress | null {
  if (run === undefined || run.finished_at !== null) return null;
  return {
    stage: run.stage as Stage,
    done: run.progress_done,
    total: run.progress_total,
    started_at: run.stage_started_at,
    runs_before: run.runs_before,
  };
}
