import type { OverviewResults } from '@heterosis/contracts/people/projects';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { listPredictionsQuery, PredictionDetail } from '@heterosis/contracts/work/predictions';
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { Queryable } from '../../../platform/database/database.ts';
import { containing } from '../../people/projects/index.ts';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

/** How the model's markers were matched with the genotype. */
export type PredictionReportRow = NonNullable<PredictionDetail['report']>;

export type PredictionResultKind = 'csv' | 'table' | 'left_out' | 'errors';

/** Over the table with the alias `one`; null until the run has ended well. */
export const PREDICTION_KEY_FIGURE = sql<
  string | null
>`case when one.report is not null then (one.report ->> 'individuals') || ' individuals' end`;

/** Known records of the individuals predicted are optional. */
const INPUTS = { model: 'model', genotype: 'GENOTYPE', phenotype: { optional: 'PHENOTYPE' } } as const;

export const predictionSelection = selectionOf('prediction', INPUTS, (query) =>
  query
    .select('one.status')
    .select(PREDICTION_KEY_FIGURE.as('key_figure'))
    .select((one) => [
      one
        .ref('one.parameters')
        .$castTo<{ min_marker_share: number; exclusions?: Exclusions; known?: true }>()
        .as('parameters'),
      one.ref('one.error_extra').$castTo<ErrorExtra | null>().as('error_extra'),
      one.ref('one.report').$castTo<PredictionReportRow | null>().as('report'),
      one.ref('one.result_keys').$castTo<Partial<Record<PredictionResultKind, string>>>().as('result_keys'),
    ]),
);
export type PredictionRow = RowOf<typeof predictionSelection>;

/**
 * The root of the prediction error variance of a trait, over the table with this name. Predictions of before 1.3 did
 * not keep it (`hasSe`); of them PEV = (1 − r²)·σ²g, where the genetic variance is var(ĝ)/mean r², because
 * var(ĝ) = r²·σ²g.
 */
export const standardErrorOf = (t: number, table: string, hasSe: boolean): string =>
  hasSe
    ? `se_${t}`
    : `sqrt(greatest(0, 1 - reliability_${t})
        * (select var_pop(gebv_${t}) / nullif(avg(reliability_${t}), 0) from ${table}))`;

/** For the overview of a project: the newest prediction that succeeded. */
export async function readRanking(db: Queryable, projectId: string): Promise<Pick<OverviewResults, 'ranking'>> {
  const found = await db
    .selectFrom('predictions')
    .select(['id', 'name', 'traits'])
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'SUCCESS')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return { ranking: found ?? null };
}

/** Filters of the list by the model. */
export const filtersOfModel = ({
  model_name,
  model_genotype_id,
  model_phenotype_id,
}: z.output<typeof listPredictionsQuery>): RawBuilder<boolean>[] => [
  ...(model_name === undefined ? [] : [sql<boolean>`model.name ilike ${containing(model_name)}`]),
  ...(model_genotype_id === undefined ? [] : [sql<boolean>`model.genotype_id = ${model_genotype_id}`]),
  ...(model_phenotype_id === undefined ? [] : [sql<boolean>`model.phenotype_id = ${model_phenotype_id}`]),
];
