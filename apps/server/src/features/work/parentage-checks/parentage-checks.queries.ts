import type { ParentageReport, parentageParameters } from '@heterosis/contracts/work/parentage-checks';
import { sql } from 'kysely';
import type * as z from 'zod';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

/** Kinds of results: tables as CSV, the pedigree that was compared, and what the page reads. */
export type ParentageResultKind = 'families' | 'parents' | 'findings' | 'pedigree' | 'table';

/** Over the table with the alias `one`; null until the run has ended well. */
export const PARENTAGE_KEY_FIGURE = sql<string | null>`
  case when one.report is not null then
    (one.report -> 'verdicts' ->> 'CONFLICT')
    || case one.report -> 'verdicts' ->> 'CONFLICT' when '1' then ' conflict' else ' conflicts' end
  end`;

export const parentageSelection = selectionOf(
  'parentage_check',
  { genotype: 'GENOTYPE', pedigree: { optional: 'PEDIGREE' } },
  (query) =>
    query
      .select('one.status')
      .select(PARENTAGE_KEY_FIGURE.as('key_figure'))
      .select((one) => [
        one.ref('one.parameters').$castTo<z.output<typeof parentageParameters>>().as('parameters'),
        one.ref('one.error_extra').$castTo<ErrorExtra | null>().as('error_extra'),
        one.ref('one.report').$castTo<ParentageReport | null>().as('report'),
        one.ref('one.result_keys').$castTo<Partial<Record<ParentageResultKind, string>>>().as('result_keys'),
      ]),
);
export type ParentageCheckRow = RowOf<typeof parentageSelection>;
