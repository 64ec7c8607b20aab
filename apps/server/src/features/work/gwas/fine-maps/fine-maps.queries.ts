import { type FineMap, type FineMapResult, MOST_FINE_MAPS } from '@heterosis/contracts/work/fine-maps';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../../platform/database/database.ts';
import { progressOf, type Run } from '../../runs/work/index.ts';

export const FINE_MAP_STEP = 'fine-map';

export interface FineMapRow extends Pick<FineMap, 'id' | 'trait' | 'chr' | 'start' | 'end' | 'effects' | 'coverage'> {
  created_at: string;
}

/** As stored with its run, which is one of the GWAS. */
export interface FineMapParameters extends Record<string, unknown> {
  fine_map_id: string;
}

const rowsOf = (db: Queryable, gwasId: string) =>
  db
    .selectFrom('gwas_fine_maps as one')
    .select(['one.id', 'one.trait', 'one.chr', 'one.start_bp as start', 'one.end_bp as end'])
    .select(['one.effects', 'one.coverage', 'one.created_at'])
    .where('one.gwas_id', '=', gwasId)
    .orderBy('one.created_at', 'desc')
    .orderBy('one.id', 'desc');

/** Adds one; of more than are kept the oldest go. */
export async function insertFineMap(
  db: Queryable,
  gwasId: string,
  { start, end, ...region }: Omit<FineMapRow, 'id' | 'created_at'>,
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('gwas_fine_maps')
    .values({ id, gwas_id: gwasId, start_bp: start, end_bp: end, ...region })
    .execute();
  const kept = rowsOf(db, gwasId).limit(MOST_FINE_MAPS).clearSelect().select('one.id');
  await db.deleteFrom('gwas_fine_maps').where('gwas_id', '=', gwasId).where('id', 'not in', kept).execute();
  return id;
}

/** Newest first, each with its run. */
export async function findFineMaps(
  db: Queryable,
  gwasId: string,
): Promise<{ row: FineMapRow; run: Run | undefined }[]> {
  const rows = await rowsOf(db, gwasId).execute();
  const runs = await findRuns(db, gwasId);
  return rows.map((row) => ({ row, run: runs.get(row.id) }));
}

/** By the id of the fine mapping. */
async function findRuns(db: Queryable, gwasId: string): Promise<Map<string, Run>> {
  const runs = await db
    .selectFrom('runs')
    .selectAll()
    .select(sql<number | null>`null`.as('runs_before'))
    .where('entity_kind', '=', 'gwas')
    .where('entity_id', '=', gwasId)
    .where('step', '=', FINE_MAP_STEP)
    .execute();
  return new Map(
    (runs as unknown as Run[]).map((run) => [(run.parameters as FineMapParameters).fine_map_id, run] as const),
  );
}

/** The result; null where there is none yet. */
export async function findFineMapResult(db: Queryable, id: string): Promise<FineMapResult | null> {
  const row = await db.selectFrom('gwas_fine_maps').select('result').where('id', '=', id).executeTakeFirst();
  return (row?.result as FineMapResult | null | undefined) ?? null;
}

export async function storeFineMapResult(db: Queryable, id: string, result: FineMapResult): Promise<void> {
  await db
    .updateTable('gwas_fine_maps')
    .set({ result: JSON.stringify(result) })
    .where('id', '=', id)
    .execute();
}

/** As the API tells it, without the result. */
export function toFineMap({ row, run }: { row: FineMapRow; run: Run | undefined }): Omit<FineMap, 'result'> {
  const isRunning = run !== undefined && run.finished_at === null;
  return {
    ...row,
    status: isRunning ? 'PROCESSING' : run?.state === 'SUCCEEDED' ? 'SUCCESS' : 'ERROR',
    progress: isRunning ? progressOf(run) : null,
    error_extra: run?.error_extra ?? null,
  };
}
