import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import { type PublishedEvent, publishEvent } from '../../../../platform/events/events.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { ErrorExtra } from './error-extra.ts';
import { failRun, type RunEntity, tenantColumn } from './runs.queries.ts';

/** The row that a job works on, and where it is; without a project it is on the pages of its organization. */
export interface EntityRow {
  id: string;
  project_id: string | null;
  organization_id: string;
}

/**
 * A file, an upload of germplasm, an import or a run of a kind: how the frame of work finds it, and says that its work
 * has ended. The tenant is the organization of an upload of germplasm, and the project of everything else.
 */
export interface Entity<Row extends EntityRow> {
  kind: RunEntity['entity_kind'];
  /** Undefined when it is in the bin or deleted. */
  find(db: Queryable, tenantId: string, id: string): Promise<Row | undefined>;
  /** Locks it until the end of the transaction; false when it is in the bin or deleted. */
  lock(trx: DatabaseTransaction, tenantId: string, id: string): Promise<boolean>;
  /** The only people who see it; without, everybody who sees its project. */
  audience?(row: Row): string[];
  /** The deleted input that its work needs, as the start of a sentence. */
  gone?(row: Row): string | undefined;
  /** Writes the error into its rows and tells it, in the transaction that fails the run. */
  fail(trx: DatabaseTransaction, row: Row, reference: WorkReference, error: ErrorExtra): Promise<void>;
  /** Tells the outcome, in the transaction that ends the run; the rows have it already. */
  tellEnd?(trx: DatabaseTransaction, reference: WorkReference): Promise<void>;
}

/** The row of the entity, and the row of `runs` that a job works on. */
export interface WorkReference {
  tenantId: string;
  id: string;
  runId: string;
}

/** The ids in the payload of every job of a run: of its tenant, of the run, and as `{kind}_id` of the entity. */
export interface RunIds {
  project_id?: string;
  organization_id?: string;
  run_id: string;
}

export function referenceOf({ kind }: Pick<Entity<EntityRow>, 'kind'>, payload: RunIds): WorkReference {
  const id = (payload as RunIds & Record<string, unknown>)[`${kind}_id`];
  const tenantId = payload[tenantColumn(kind)];
  if (typeof id !== 'string' || tenantId === undefined)
    throw new TypeError(`The payload of this job has no ${kind}_id, or no ${tenantColumn(kind)}.`);
  return { tenantId, id, runId: payload.run_id };
}

/** Prefix of the storage keys of everything that a run writes; the number of the attempt follows. */
export function runPrefix(kind: RunEntity['entity_kind'], { tenantId, id, runId }: WorkReference): string {
  const folder = kind in RUN_KINDS ? RUN_KINDS[kind as RunKind].path : `${kind}s`;
  return `${tenantColumn(kind) === 'project_id' ? 'projects' : 'organizations'}/${tenantId}/${folder}/${id}/${runId}-`;
}

/** The entity in the event stream. */
export const eventOf = <Row extends EntityRow>(
  { kind, audience }: Pick<Entity<Row>, 'kind' | 'audience'>,
  row: Row,
): PublishedEvent => ({
  ...{ type: kind, id: row.id, project_id: row.project_id, organization_id: row.organization_id },
  ...(audience === undefined ? {} : { user_ids: audience(row) }),
});

/** Ends a run and everything unfinished in it with an error. False if it had already ended. */
export async function failWork<Row extends EntityRow>(
  { db }: Pick<Services, 'db'>,
  entity: Pick<Entity<Row>, 'kind' | 'find' | 'fail' | 'audience'>,
  work: WorkReference,
  error: ErrorExtra,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const row = await entity.find(trx, work.tenantId, work.id);
    if (!(await failRun(trx, work.runId, error))) return false;
    // The row is in the bin: notify nobody.
    if (row === undefined) return true;
    await entity.fail(trx, row, work, error);
    await publishEvent(trx, eventOf(entity, row));
    return true;
  });
}
