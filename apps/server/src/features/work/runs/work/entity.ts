import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { ErrorExtra } from './error-extra.ts';
import { failRun, type RunEntity } from './runs.queries.ts';

/** The row that a job works on, and its tenant. */
export interface EntityRow {
  id: string;
  project_id: string;
  organization_id: string;
}

/** A file, an import or a run of a kind: how the frame of work finds it, and says that its work has ended. */
export interface Entity<Row extends EntityRow> {
  kind: RunEntity['entity_kind'];
  /** Undefined when it is in the bin or deleted. */
  find(db: Queryable, projectId: string, id: string): Promise<Row | undefined>;
  /** Locks it until the end of the transaction; false when it is in the bin or deleted. */
  lock(trx: DatabaseTransaction, projectId: string, id: string): Promise<boolean>;
  /** The deleted input that its work needs, as the start of a sentence. */
  gone?(row: Row): string | undefined;
  /** Writes the error into its rows and tells it, in the transaction that fails the run. */
  fail(trx: DatabaseTransaction, row: Row, reference: WorkReference, error: ErrorExtra): Promise<void>;
  /** Tells the outcome, in the transaction that ends the run; the rows have it already. */
  tellEnd?(trx: DatabaseTransaction, reference: WorkReference): Promise<void>;
}

/** The row of the entity, and the row of `runs` that a job works on. */
export interface WorkReference {
  projectId: string;
  id: string;
  runId: string;
}

/** The ids that the payload of every job of a run has, besides that of the entity as `{kind}_id`. */
export interface RunIds {
  project_id: string;
  run_id: string;
}

export function referenceOf({ kind }: Pick<Entity<EntityRow>, 'kind'>, payload: RunIds): WorkReference {
  const id = (payload as RunIds & Record<string, unknown>)[`${kind}_id`];
  if (typeof id !== 'string') throw new TypeError(`The payload of this job has no ${kind}_id.`);
  return { projectId: payload.project_id, id, runId: payload.run_id };
}

/** The folder of the entity in the storage. */
export const folderOf = (kind: RunEntity['entity_kind']): string =>
  kind === 'file' || kind === 'brapi_import' ? `${kind}s` : RUN_KINDS[kind].path;

/** Prefix of the storage keys of everything that an attempt writes. */
export const attemptPrefix = (
  { kind }: Pick<Entity<EntityRow>, 'kind'>,
  { projectId, id, runId }: WorkReference,
  attempt: number,
): string => `projects/${projectId}/${folderOf(kind)}/${id}/${runId}-${attempt}/`;

/** The entity in the event stream. */
export const eventOf = ({ kind }: Pick<Entity<EntityRow>, 'kind'>, { id, project_id, organization_id }: EntityRow) =>
  ({ type: kind, id, project_id, organization_id }) as const;

/** Ends a run and everything unfinished in it with an error. False if it had already ended. */
export async function failWork<Row extends EntityRow>(
  { db }: Pick<Services, 'db'>,
  entity: Pick<Entity<Row>, 'kind' | 'find' | 'fail'>,
  work: WorkReference,
  error: ErrorExtra,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const row = await entity.find(trx, work.projectId, work.id);
    if (!(await failRun(trx, work.runId, error))) return false;
    // The row is in the bin: notify nobody.
    if (row === undefined) return true;
    await entity.fail(trx, row, work, error);
    await publishEvent(trx, eventOf(entity, row));
    return true;
  });
}
