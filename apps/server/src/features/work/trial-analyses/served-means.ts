import { sql } from 'kysely';
import { sharedRead } from '../../../platform/database/shared-read.ts';
import type { Services } from '../../../platform/http/app.ts';
import { keyOf, stripsOf } from './read-trials.ts';
import type { TrialTraitRow } from './trial-analyses.queries.ts';

/** The newest analysis with results of a project, for those who read its means from outside. */
export interface NewestAnalysis {
  id: string;
  name: string;
  project_id: string;
  /** Ids of the phenotype files; of a version the file of which it is one. */
  file_ids: Record<string, string>;
  /** Traits with results, in the requested order. */
  trait_rows: TrialTraitRow[];
}

/** One for each of the projects that has any. */
export const listNewestAnalyses = sharedRead(async (db, projectIds: readonly string[]): Promise<NewestAnalysis[]> => {
  const { rows } = await sql<NewestAnalysis>`select distinct on (one.project_id) one.id, one.name, one.project_id,
        (select jsonb_object_agg(given.id, coalesce(v.version_of, given.id))
          from unnest(one.phenotype_ids) as given (id)
          left join file_versions as v on v.file_id = given.id) as file_ids,
        done.trait_rows
      from trial_analyses as one
      join lateral (
        select jsonb_agg(to_jsonb(t) order by array_position(one.traits, t.trait)) as trait_rows
        from trial_analysis_traits as t where t.trial_analysis_id = one.id and t.status = 'SUCCESS'
      ) as done on done.trait_rows is not null
      where one.project_id = any(${projectIds}::uuid[]) and one.deleted_at is null
      order by one.project_id, one.created_at desc, one.id desc
    `.execute(db);
  return rows;
});

/** A mean of a line in an environment; numbers are null where they were not asked for or are not estimable. */
export interface ServedMean extends Record<string, unknown> {
  environment_place: number;
  line: string;
  mean: number | null;
  se: number | null;
  blup: number | null;
  blup_se: number | null;
}

/** The means of a trait, and the environments at their places. */
export interface ServedMeans {
  trait: string;
  unit: string | null;
  environments: { name: string; fileId: string }[];
  means: ServedMean[];
}

/** The means of all traits of an analysis, in the order of their tables. */
export async function readNewestMeans(
  services: Pick<Services, 'storage' | 'tables'>,
  { file_ids: fileIds, trait_rows: rows }: NewestAnalysis,
): Promise<ServedMeans[]> {
  const traits: ServedMeans[] = [];
  for (const row of rows) {
    const { unit, data } = await stripsOf(services, row);
    const means = await services.tables.query<ServedMean>(
      keyOf(row, 'means_table'),
      (table) => `select environment_place, line, mean, se, blup, blup_se from ${table} order by place`,
    );
    const environments = data.map(({ environment: name, phenotype_id: id }) => ({ name, fileId: fileIds[id] ?? id }));
    traits.push({ trait: row.trait, unit, environments, means });
  }
  return traits;
}
