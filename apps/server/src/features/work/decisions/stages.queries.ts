import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';

export interface LineStage {
  germplasm_id: string;
  stage: string;
  decision_id: string | null;
  decision: string | null;
  set_by: string | null;
  set_at: string;
}

/** Stages that lines have reached in a project, of each the latest first. */
export async function readStages(
  db: Queryable,
  projectId: string,
  germplasmIds: readonly string[],
): Promise<LineStage[]> {
  return await db
    .selectFrom('line_stages as one')
    .leftJoin('decisions', 'decisions.id', 'one.decision_id')
    .leftJoin('users', 'users.id', 'one.set_by')
    .select(['one.germplasm_id', 'one.stage', 'one.decision_id', 'one.set_at', 'decisions.name as decision'])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('set_by'))
    .where('one.project_id', '=', projectId)
    .where(sql<boolean>`one.germplasm_id = any(${germplasmIds}::uuid[])`)
    .orderBy('one.germplasm_id')
    .orderBy('one.set_at', 'desc')
    .orderBy('one.id', 'desc')
    .execute();
}

export async function insertStages(
  db: Queryable,
  { projectId, decisionId, setBy }: { projectId: string; decisionId: string; setBy: string },
  stages: readonly { germplasm_id: string; stage: string }[],
): Promise<void> {
  if (stages.length === 0) return;
  await db
    .insertInto('line_stages')
    .values(
      stages.map((one) => ({
        ...{ id: uuidv7(), project_id: projectId, decision_id: decisionId, set_by: setBy, ...one },
      })),
    )
    .execute();
}
