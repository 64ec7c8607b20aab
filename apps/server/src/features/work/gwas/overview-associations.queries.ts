import type { OverviewAssociation } from '@heterosis/contracts/people/projects';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { placesOfTraits } from '../../people/projects/index.ts';

/** Traits shown; a project may have a thousand. */
const TRAITS = 8;

/** For the overview of a project: the newest GWAS of the traits with the smallest p-values. */
export async function readAssociations(
  db: Queryable,
  projectId: string,
): Promise<{ associations: OverviewAssociation[] }> {
  const { rows } = await sql<OverviewAssociation>`
    select trait, gwas, lambda, hits, bonferroni, top
    from (
      select trait, gwas, (summary ->> 'lambda')::float8 as lambda, (summary ->> 'hits')::int as hits,
        (summary ->> 'bonferroni')::float8 as bonferroni,
        case jsonb_typeof(summary -> 'top') when 'object' then summary -> 'top' end as top
      from (
        select distinct on (results.trait) results.trait, results.summary,
          jsonb_build_object('id', gwas.id, 'name', gwas.name) as gwas
        from gwas join gwas_traits as results on results.gwas_id = gwas.id
        where gwas.project_id = ${projectId} and gwas.deleted_at is null and results.summary is not null
          and results.summary -> 'gene_action' is null
        order by results.trait, gwas.created_at desc, gwas.id desc
      ) as newest
      order by (summary #>> '{top,p}')::float8 nulls last, trait
      limit ${TRAITS}
    ) as strongest left join ${placesOfTraits(projectId)} as places on places.name = trait
    order by place nulls last, trait
  `.execute(db);
  return { associations: rows };
}
