import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** What a project says of itself. */
export async function readProjectFacts(
  db: Queryable,
  projectId: string,
): Promise<{
  name: string;
  description: string | null;
  crop: string | null;
  created_at: string;
  last_active_at: string;
}> {
  return await db
    .selectFrom('projects')
    .leftJoin('crops', 'crops.id', 'projects.crop_id')
    .select(['projects.name', 'projects.description', 'crops.name as crop'])
    .select(['projects.created_at', 'projects.last_active_at'])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow();
}

/** How many there are of each, without what is in the bin. */
export async function countContents(
  db: Queryable,
  projectId: string,
  runTables: readonly string[],
): Promise<{ files: number; trials: number; decisions: number; lists: number; runs: Record<string, number> }> {
  const count = (table: string, hasBin = true) => sql`(
    select count(*)::int from ${sql.table(table)} as one
    where one.project_id = ${projectId} ${hasBin ? sql`and one.deleted_at is null` : sql``}
  )`;
  const { rows } = await sql<Awaited<ReturnType<typeof countContents>>>`
    select ${count('files')} as files, ${count('trials')} as trials, ${count('decisions')} as decisions,
      ${count('lists', false)} as lists,
      jsonb_build_object(${sql.join(runTables.flatMap((table) => [sql.lit(table), count(table)]))}) as runs
  `.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('Counting gives one row');
  return counts;
}
