import type { OverviewAccuracy } from '@heterosis/contracts/people/projects';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { placesOfTraits } from '../../people/projects/index.ts';
import { predictiveAbility } from './stored-evaluations.ts';

/** Traits shown; a project may have a thousand. */
const TRAITS = 8;
/** Models compared for a trait. */
const MODELS = 3;

/** For the overview of a project: predictive abilities of the newest models of each trait. */
export async function readAccuracies(db: Queryable, projectId: string): Promise<{ accuracies: OverviewAccuracy[] }> {
  const { rows } = await sql<OverviewAccuracy>`
    select trait, model, r, sd, created_at
    from (
      select results.trait, models.created_at,
        jsonb_build_object('id', models.id, 'name', models.name) as model,
        ${predictiveAbility('mean')} as r, ${predictiveAbility('sd')} as sd,
        row_number() over (partition by results.trait order by models.created_at desc, models.id desc) as nth,
        dense_rank() over (order by places.place nulls last, results.trait) as trait_rank
      from models join model_traits as results on results.model_id = models.id
        left join ${placesOfTraits(projectId)} as places on places.name = results.trait
      where models.project_id = ${projectId} and models.deleted_at is null and results.evaluation is not null
    ) as accuracy
    where nth <= ${MODELS} and trait_rank <= ${TRAITS}
    order by trait_rank, nth
  `.execute(db);
  return { accuracies: rows };
}
