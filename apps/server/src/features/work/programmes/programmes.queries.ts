import type { ProgrammeParameters, ProgrammeReport } from '@heterosis/contracts/work/programmes';
import { type RawBuilder, sql } from 'kysely';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

const INPUTS = {
  genotype: 'GENOTYPE',
  // Without it, distances are derived from base pairs.
  linkage_map: { optional: 'LINKAGE_MAP' },
  // Without it, the truth is an architecture.
  model: { optional: 'model' },
} as const;

/** Over the table with the alias `one`; null until the run has ended well. */
export const PROGRAMME_KEY_FIGURE: RawBuilder<string | null> = sql`
  case when one.report is not null then
    case when one.report ? 'optimum' then
      (one.report #>> '{optimum,evaluations}') || ' evaluations'
    else case jsonb_array_length(one.report -> 'schemes') when 1 then coalesce(
      'gain ' || to_char((one.report #>> '{schemes,0,gain,mean}')::numeric, 'FM999999990.00')
        || ' in ' || (one.report #>> '{schemes,0,years}') || ' years', '')
    else jsonb_array_length(one.report -> 'schemes') || ' schemes' end end
  end`;

export const programmeSelection = selectionOf('programme', INPUTS, (query) =>
  query
    .select(['one.seed', 'one.status', 'one.has_linkage_map', 'one.has_model'])
    .select(PROGRAMME_KEY_FIGURE.as('key_figure'))
    .select((one) => [
      one.ref('one.parameters').$castTo<ProgrammeParameters>().as('parameters'),
      one.ref('one.error_extra').$castTo<ErrorExtra | null>().as('error_extra'),
      one.ref('one.report').$castTo<ProgrammeReport | null>().as('report'),
      one.ref('one.result_keys').$castTo<Partial<Record<string, string>>>().as('result_keys'),
    ]),
);
export type ProgrammeRow = RowOf<typeof programmeSelection>;
