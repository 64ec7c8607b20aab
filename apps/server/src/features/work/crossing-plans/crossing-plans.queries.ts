import type { CrossingPlanParameters, CrossingPlanReport } from '@heterosis/contracts/work/crossing-plans';
import { sql } from 'kysely';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

/** Kinds of results: tables as CSV, and what plans with other constraints are computed from. */
export type CrossingPlanResultKind = 'crosses' | 'candidates' | 'pairs' | 'curve' | 'made' | 'tables';

type AddedLater = 'made_from' | 'allow_made' | 'candidates_from' | 'coancestry';
/** Parameters as stored; plans of earlier versions lack the later ones. */
export type StoredPlanParameters = Omit<CrossingPlanParameters, AddedLater> &
  Partial<Pick<CrossingPlanParameters, AddedLater>> & { has_made_crosses: boolean };

const INPUTS = {
  model: 'model',
  // Candidates may be individuals of the model.
  genotype: { optional: 'GENOTYPE' },
  // Coancestries in place of those by markers.
  pedigree: { optional: 'PEDIGREE' },
  // Pairs already made.
  crossing_table: { optional: 'CROSSING_TABLE' },
  // Without it, distances are derived from base pairs.
  linkage_map: { optional: 'LINKAGE_MAP' },
} as const;

/** Over the table with the alias `one`; null until the run has ended well. */
export const PLAN_KEY_FIGURE = sql<string | null>`
  case when one.report is not null then
    (one.report ->> 'crosses') || case one.report ->> 'crosses' when '1' then ' cross' else ' crosses' end
    || ' of ' || (one.report ->> 'parents') || ' parents' end`;

export const crossingPlanSelection = selectionOf('crossing_plan', INPUTS, (query) =>
  query
    .select(['one.seed', 'one.status'])
    .select(PLAN_KEY_FIGURE.as('key_figure'))
    .select((one) => [
      one.ref('one.parameters').$castTo<StoredPlanParameters>().as('parameters'),
      one.ref('one.error_extra').$castTo<ErrorExtra | null>().as('error_extra'),
      one.ref('one.report').$castTo<CrossingPlanReport | null>().as('report'),
      one.ref('one.result_keys').$castTo<Partial<Record<CrossingPlanResultKind, string>>>().as('result_keys'),
    ]),
);
export type CrossingPlanRow = RowOf<typeof crossingPlanSelection>;

/** The parameters of a plan, whatever version made it. */
export function parametersOf({ parameters }: Pick<CrossingPlanRow, 'parameters'>): CrossingPlanParameters {
  const { has_made_crosses: _, ...others } = parameters;
  return { made_from: [], allow_made: false, candidates_from: 'genotype', coancestry: 'markers', ...others };
}
