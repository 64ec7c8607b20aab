import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import type { RunStatus } from '@heterosis/contracts/work/runs';
import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import type { ZippedFile } from '../../../../platform/http/zip-download.ts';
import type { ObjectStorage } from '../../../../platform/object-storage/object-storage.ts';
import type { ErrorExtra } from '../work/error-extra.ts';
import { progressOf } from '../work/progress.ts';
import { type Outcome, reasonInWords } from '../work/run-mail.ts';
import type { Run, RunRequestedBy } from '../work/runs.queries.ts';
import { beginStep } from './run-kind.service.ts';
import type { NamedRunRow, RunKindDefinition } from './run-kind.ts';

// What kinds share whose runs are computed in one step, with one state, one report and one set of files for all traits.

/** A row of such a kind. */
export interface OneStepRow extends NamedRunRow {
  status: RunStatus;
  error_extra: ErrorExtra | null;
  key_figure: string | null;
  /** Null until the run has ended well. */
  report: unknown;
  /** Storage keys by kind of result. */
  result_keys: Partial<Record<string, string>>;
  creator: string | null;
  created_at: string;
  updated_at: string;
}

/** What lists show of it, without its inputs. */
const itemOfOneStep = (row: OneStepRow, [run]: readonly Run[]) => ({
  id: row.id,
  name: row.name,
  project_id: row.project_id,
  status: row.status,
  error_extra: row.error_extra,
  progress: row.status === 'PROCESSING' ? progressOf(run) : null,
  traits: row.traits,
  key_figure: row.key_figure,
  created_by: row.creator,
  created_by_id: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** How the run ended, with a sentence for each result; undefined while it is under way. */
function outcomeOfOneStep<Row extends OneStepRow>(row: Row, results: (row: Row) => string[]): Outcome | undefined {
  if (row.status === 'PROCESSING') return undefined;
  if (row.error_extra !== null) return { results: [], failures: [reasonInWords(row.error_extra)] };
  return { results: results(row), failures: [] };
}

/** Signed URL of a CSV result, named `{run}_{ending}.csv`; null without such a result. */
async function csvUrl<Kind extends string>(
  storage: Pick<ObjectStorage, 'signGet'>,
  { name, result_keys }: { name: string; result_keys: Partial<Record<Kind, string>> },
  kind: Kind,
  ending: string = kind,
): Promise<string | null> {
  const key = result_keys[kind];
  if (key === undefined) return null;
  return await storage.signGet(key, { fileName: `${name}_${ending}.csv`, contentType: 'text/csv; charset=utf-8' });
}

/** Results as files of a bundle, by the names that they have there; those that the run does not have are left out. */
const resultFiles = <Kind extends string>(
  { result_keys }: { result_keys: Partial<Record<Kind, string>> },
  names: Readonly<Record<string, Kind>>,
): ZippedFile[] =>
  Object.entries(names).flatMap(([name, kind]) => {
    const key = result_keys[kind];
    return key === undefined ? [] : [{ name, content: { key } }];
  });

/** Stores the results, in the transaction that ends the step. */
const storeOneStep = async <Row extends OneStepRow>(
  trx: DatabaseTransaction,
  { kind }: Pick<RunKindDefinition<Row>, 'kind'>,
  row: Pick<Row, 'project_id' | 'id'>,
  { report, result_keys }: { report: NonNullable<Row['report']>; result_keys: Row['result_keys'] },
): Promise<void> =>
  await setState(
    trx,
    kind,
    row,
    sql`status = 'SUCCESS', report = ${JSON.stringify(report)}::jsonb,
      result_keys = ${JSON.stringify(result_keys)}::jsonb`,
  );

interface Repeated<Row> {
  row: Row;
  by: RunRequestedBy;
  /** Starts what the run waits for. */
  prepare?: () => Promise<unknown>;
}

/** Starts a failed run again. */
async function repeatOneStep<Row extends OneStepRow>(
  services: Services,
  trx: DatabaseTransaction,
  definition: RunKindDefinition<Row>,
  { row, by, prepare }: Repeated<Row>,
): Promise<void> {
  const { kind } = definition;
  if (row.status !== 'ERROR')
    throw new Problem('runs/not-retryable', `Only a failed ${RUN_KINDS[kind].noun} can be repeated.`);
  await setState(trx, kind, row, sql`status = 'PROCESSING'`);
  await prepare?.();
  await beginStep(services, trx, definition, { row, by });
}

async function setState(
  db: Queryable,
  kind: RunKindDefinition['kind'],
  { project_id, id }: Pick<OneStepRow, 'project_id' | 'id'>,
  state: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    update ${sql.table(RUN_KINDS[kind].path)} set ${state}, error_extra = null, updated_at = now()
    where project_id = ${project_id} and id = ${id}
  `.execute(db);
}

/** The shape of kinds that are computed in one step, with one state for all traits. */
export const oneStep = {
  csvUrl,
  item: itemOfOneStep,
  outcome: outcomeOfOneStep,
  repeat: repeatOneStep,
  files: resultFiles,
  store: storeOneStep,
};
