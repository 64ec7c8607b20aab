import type { RunStatus } from '@heterosis/contracts/work/runs';
import type { TrialAnalysisDetail, TrialTraitSummary } from '@heterosis/contracts/work/trial-analyses';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

export type TrialAnalysisParameters = TrialAnalysisDetail['provenance']['parameters'];

/** Tables for people: as the command line writes them. */
export type TrialFile = 'means' | 'covariance' | 'plots' | 'report' | 'series' | 'series_report';
/**
 * Kinds of results of a trait in the object store: tables for people, their rows for paging, the strips of its trials,
 * their fields and covariances behind one another, the means of all joined with their covariance, and the series for
 * its page.
 */
export type TrialResultKind =
  | TrialFile
  | 'means_table'
  | 'series_table'
  | 'joined_table'
  | 'joined_covariance'
  | 'covariances'
  | 'trials'
  | 'fields'
  | 'series_page'
  | 'errors';

export interface TrialTraitRow {
  trait: string;
  status: RunStatus;
  error_extra: ErrorExtra | null;
  summary: TrialTraitSummary | null;
  result_keys: Partial<Record<TrialResultKind, string>>;
}

const traitRows: RawBuilder<TrialTraitRow[]> = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'trait', trait, 'status', status, 'error_extra', error_extra, 'summary', summary, 'result_keys', result_keys)
    order by array_position(one.traits, trait)), '[]')
  from trial_analysis_traits where trial_analysis_id = one.id)`;

export const trialAnalysisSelection = selectionOf(
  'trial_analysis',
  { phenotype: { several: 'PHENOTYPE' }, genotype: { optional: 'GENOTYPE' }, pedigree: { optional: 'PEDIGREE' } },
  (query) =>
    query
      .select(['one.has_genotype', 'one.has_pedigree'])
      .select((one) => one.ref('one.parameters').$castTo<TrialAnalysisParameters>().as('parameters'))
      .select(traitRows.as('trait_rows')),
);
export type TrialAnalysisRow = RowOf<typeof trialAnalysisSelection>;

/** The newest analysis with results of a trait. */
export interface AnalysedTrait extends TrialTraitRow {
  analysis_id: string;
  analysis_name: string;
  analysed_at: string;
}

/** For each trait the newest analysis that has a result and some of these files among its own. */
export async function listNewestOfFiles(
  db: Queryable,
  projectId: string,
  fileIds: readonly string[],
): Promise<AnalysedTrait[]> {
  const { rows } = await sql<AnalysedTrait>`
    select distinct on (t.trait) t.trait, t.status, t.error_extra, t.summary, t.result_keys,
      one.id as analysis_id, one.name as analysis_name, one.created_at as analysed_at
    from trial_analyses as one join trial_analysis_traits as t on t.trial_analysis_id = one.id
    where one.project_id = ${projectId} and one.deleted_at is null and t.status = 'SUCCESS'
      and one.phenotype_ids && ${fileIds}::uuid[]
    order by t.trait, one.created_at desc, one.id desc
  `.execute(db);
  return rows;
}

export type TrialTraitState =
  | { status: 'PROCESSING' }
  | { status: 'ERROR'; error_extra: ErrorExtra }
  | { status: 'SUCCESS'; summary: TrialTraitSummary; result_keys: Partial<Record<TrialResultKind, string>> };

/** The one place where the status of a trait changes. */
export async function updateTrialTrait(
  db: Queryable,
  analysisId: string,
  trait: string,
  state: TrialTraitState,
): Promise<void> {
  await db
    .updateTable('trial_analysis_traits')
    .set({ error_extra: null, ...state, updated_at: sql<string>`now()` })
    .where('trial_analysis_id', '=', analysisId)
    .where('trait', '=', trait)
    .execute();
}

/** Median heritability of the traits. */
export const TRIAL_KEY_FIGURE: RawBuilder<string | null> = sql`(
  select case count(*) when 0 then null else
    'H² ' || to_char(min((summary -> 'h2' ->> 'median')::numeric), 'FM0.00')
    || case when count(*) = 1 then '' else '–' || to_char(max((summary -> 'h2' ->> 'median')::numeric), 'FM0.00') end
  end
  from trial_analysis_traits where trial_analysis_id = one.id and summary -> 'h2' ->> 'median' is not null)`;
