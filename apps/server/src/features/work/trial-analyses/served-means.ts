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
  /** Ids of the phenotype files, also those of before an import; of a version the file of which it is one. */
  file_ids: Record<string, string>;
  /** Traits with results, in the requested order. */
  trait_rows: TrialTraitRow[];
}

/** One for each of the projects that has any. */
export const listNewestAnalyses = sharedRead(async (db, projectIds: readonly string[]): Promise<NewestAnalysis[]> => {
  const { rows } = await sql<NewestAnalysis>`select distinct on (one.project_id) one.id, one.name, one.project_id,
        (select jsonb_object_agg(named.id, coalesce(v.version_of, given.id))
          from unnest(one.phenotype_ids) as given (id)
          left join file_versions as v on v.file_id = given.id
          left join files as f on f.id = given.id
          cross join lateral (
            select given.id::text union select jsonb_array_elements_text(coalesce(f.meta -> 'former_ids', '[]'))
          ) as named (id)) as file_ids,
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
  line: string;
  mean: number | null;
  se: number | null;
  blup: number | null;
  blup_se: number | null;
}

export type FigureCounts = Record<'mean' | 'se' | 'blup' | 'blup_se', number>;
const NO_FIGURES: FigureCounts = { mean: 0, se: 0, blup: 0, blup_se: 0 };

/** What means an analysis has: small, while the means of a large series are millions of figures. */
export interface MeansIndex {
  /** In the order of the analysis. */
  traits: { trait: string; unit: string | null }[];
  /** Those with means: their phenotype file, their lines, and by trait the numbers of figures. */
  environments: { name: string; fileId: string; lines: number; figures: FigureCounts[] }[];
}

type Reading = Pick<Services, 'storage' | 'tables'>;

const meansTable = (row: TrialTraitRow): string => keyOf(row, 'means_table');

export async function indexNewestMeans(
  services: Reading,
  { file_ids: fileIds, trait_rows: rows }: NewestAnalysis,
): Promise<MeansIndex> {
  const traits: MeansIndex['traits'] = [];
  const fileOf = new Map<string, string>();
  for (const row of rows) {
    const { unit, data } = await stripsOf(services, row);
    traits.push({ trait: row.trait, unit });
    for (const { environment, phenotype_id: id } of data) fileOf.set(environment, fileIds[id] ?? id);
  }
  const figures: Map<string, FigureCounts>[] = [];
  for (const row of rows) {
    const counts = await services.tables.query<FigureCounts & { environment: string }>(
      meansTable(row),
      (table) =>
        `select environment, count(mean) as mean, count(se) as se, count(blup) as blup, count(blup_se) as blup_se
          from ${table} group by environment`,
    );
    figures.push(new Map(counts.map((count) => [count.environment, count])));
  }
  const lines = await services.tables.query<{ environment: string; lines: number }>(
    rows.map(meansTable),
    (table) => `select environment, count(distinct line) as lines from ${table} group by environment`,
  );
  const linesOf = new Map(lines.map((count) => [count.environment, count.lines]));
  const environments = [...fileOf].flatMap(([name, fileId]) => {
    const count = linesOf.get(name);
    if (count === undefined) return [];
    return [{ name, fileId, lines: count, figures: figures.map((own) => own.get(name) ?? NO_FIGURES) }];
  });
  return { traits, environments };
}

/** The means of an environment by trait, in the order of their tables. */
export async function readNewestMeans(
  { tables }: Reading,
  { trait_rows: rows }: NewestAnalysis,
  environment: string,
): Promise<ServedMean[][]> {
  const means: ServedMean[][] = [];
  for (const row of rows)
    means.push(
      await tables.query<ServedMean>(
        meansTable(row),
        (table) => `select line, mean, se, blup, blup_se from ${table} where environment = $1 order by place`,
        [environment],
      ),
    );
  return means;
}
