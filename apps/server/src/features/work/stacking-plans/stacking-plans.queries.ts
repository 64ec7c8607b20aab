import type { StackingParameters, StackingReport } from '@heterosis/contracts/work/stacking-plans';
import { type RawBuilder, sql } from 'kysely';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

/** Over the table with the alias `one`; null until the run has ended well. */
export const STACKING_KEY_FIGURE: RawBuilder<string | null> = sql`
  case when one.report is not null then
    (one.report ->> 'plants') || ' plants in ' || (one.report ->> 'generations') || ' generations'
  end`;

export const stackingSelection = selectionOf(
  'stacking_plan',
  // Without a map, distances are derived from base pairs.
  { genotype: 'GENOTYPE', linkage_map: { optional: 'LINKAGE_MAP' } },
  (query) =>
    query
      .select(['one.seed', 'one.status', 'one.has_linkage_map'])
      .select(STACKING_KEY_FIGURE.as('key_figure'))
      .select((one) => [
        one.ref('one.parameters').$castTo<StackingParameters>().as('parameters'),
        one.ref('one.error_extra').$castTo<ErrorExtra | null>().as('error_extra'),
        one.ref('one.report').$castTo<StackingReport | null>().as('report'),
        one.ref('one.result_keys').$castTo<{ schedule?: string }>().as('result_keys'),
      ]),
);
export type StackingRow = RowOf<typeof stackingSelection>;
