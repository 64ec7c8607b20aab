import type { ProjectCard } from '@heterosis/contracts/people/home';
import { ENDED_STATES, RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import type { OverviewKind } from '../projects/index.ts';

type CardFacts = Pick<ProjectCard, 'running' | 'last_result'>;

/** Per project: how much is under way, and the newest run that has ended with a result. */
export async function readCardFacts(
  db: Queryable,
  projectIds: readonly string[],
  kinds: readonly OverviewKind[],
): Promise<Map<string, CardFacts>> {
  const { rows } = await sql<{ project_id: string; running: number; kind: RunKind | null; id: string }>`
    select project.id as project_id, newest.kind, newest.id,
      (select count(*) from runs where runs.project_id = project.id and finished_at is null)::int as running
    from unnest(${projectIds}::uuid[]) as project (id)
    left join lateral (
      select * from (${sql.join(
        kinds.map(({ kind }) => newestResult(kind)),
        sql` union all `,
      )}) as one
      order by created_at desc, id desc limit 1
    ) as newest on true
  `.execute(db);
  // Figures of those that are shown only: they are read from all traits of a run.
  const results = new Map<string, NonNullable<CardFacts['last_result']>>();
  for (const { kind, keyFigure } of kinds) {
    const ids = rows.flatMap((row) => (row.kind === kind ? [row.id] : []));
    if (ids.length === 0) continue;
    const found = await sql<NonNullable<CardFacts['last_result']>>`
      select ${sql.lit(kind)} as kind, one.id, one.name, ${keyFigure} as key_figure,
        coalesce((select max(finished_at) from runs
          where runs.project_id = one.project_id and entity_kind = ${kind} and entity_id = one.id), one.updated_at) as finished_at
      from ${sql.table(RUN_KINDS[kind].path)} as one where one.id = any(${ids}::uuid[])
    `.execute(db);
    for (const result of found.rows) results.set(result.id, result);
  }
  return new Map(
    rows.map(({ project_id, running, id }) => [project_id, { running, last_result: results.get(id) ?? null }]),
  );
}

const newestResult = (kind: RunKind): RawBuilder<unknown> => sql`(
  select ${sql.lit(kind)} as kind, one.id, one.created_at from ${sql.table(RUN_KINDS[kind].path)} as one
  where one.project_id = project.id and one.deleted_at is null and ${hasResult(kind)}
  order by one.id desc limit 1)`;

/** All of it has ended, and at least a part of it well. */
function hasResult(kind: RunKind): RawBuilder<boolean> {
  const ended = sql`all(${ENDED_STATES}::text[])`;
  if (!RUN_KINDS[kind].perTrait) return sql`one.status = 'SUCCESS'`;
  return sql`(
    select bool_and(not status <> ${ended}) and bool_or(status <> 'ERROR')
    from ${sql.table(`${kind}_traits`)} where ${sql.ref(`${kind}_id`)} = one.id)`;
}
