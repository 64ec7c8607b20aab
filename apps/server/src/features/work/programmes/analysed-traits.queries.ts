import type { Reference } from '@heterosis/contracts/common';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** A trait with the newest analysis of trials that has a result for it. */
export interface AnalysedTrait {
  trait: string;
  analysis: Reference;
  /** Keys of the figures of its trials, and of their series. */
  trials: string | null;
  series: string | null;
}

/** Traits read at once; a project may have a thousand. */
const MOST = 20;

export async function listAnalysedTraits(db: Queryable, projectId: string): Promise<AnalysedTrait[]> {
  const { rows } = await sql<AnalysedTrait>`
    select distinct on (t.trait) t.trait, jsonb_build_object('id', one.id, 'name', one.name) as analysis,
      t.result_keys ->> 'trials' as trials, t.result_keys ->> 'series_page' as series
    from trial_analyses as one join trial_analysis_traits as t on t.trial_analysis_id = one.id
    where one.project_id = ${projectId} and one.deleted_at is null and t.status = 'SUCCESS'
    order by t.trait, one.created_at desc, one.id desc
    limit ${MOST}
  `.execute(db);
  return rows;
}
