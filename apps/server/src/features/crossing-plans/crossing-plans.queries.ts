import type { CrossingPlanParameters, CrossingPlanReport } from '@heterosis/contracts/crossing-plans';
import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';
import { type ErrorExtra, type RowOf, selectionOf } from '../runs/index.ts';

/** Kinds of results: tables as CSV, and what plans with other constraints are computed from. */
export type CrossingPlanResultKind = 'crosses' | 'candidates' | 'pairs' | 'curve' | 'tables';

const INPUTS = {
  model: 'model',
  genotype: 'GENOTYPE',
  // Pairs already made.
  crossing_table: { optional: 'CROSSING_TABLE' },
  // Without it, distances are derived from base pairs.
  linkage_map: { optional: 'LINKAGE_MAP' },
} as const;

export const crossingPlanSelection = selectionOf('crossing_plan', INPUTS, (query) =>
  query
    .select(['one.seed', 'one.status'])
    .select((one) => [
      one.ref('one.parameters').$castTo<CrossingPlanParameters & { has_made_crosses: boolean }>().as('parameters'),
      one.ref('one.error_extra').$castTo<ErrorExtra | null>().as('error_extra'),
      one.ref('one.report').$castTo<CrossingPlanReport | null>().as('report'),
      one.ref('one.result_keys').$castTo<Partial<Record<CrossingPlanResultKind, string>>>().as('result_keys'),
    ]),
);
export type CrossingPlanRow = RowOf<typeof crossingPlanSelection>;

type CrossingPlanState =
  | { status: 'PROCESSING' }
  | { status: 'ERROR'; error_extra: ErrorExtra }
  | { status: 'SUCCESS'; report: CrossingPlanReport; result_keys: CrossingPlanRow['result_keys'] };

/** The only function that changes the status. */
export async function updateCrossingPlanStatus(
  db: Queryable,
  projectId: string,
  id: string,
  state: CrossingPlanState,
): Promise<void> {
  await db
    .updateTable('crossing_plans')
    .set({ error_extra: null, ...state, updated_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}
