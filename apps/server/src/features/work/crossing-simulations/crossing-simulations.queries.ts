import type {
  CrossingParameters,
  CrossingReport,
  listCrossingSimulationsQuery,
} from '@heterosis/contracts/work/crossing-simulations';
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { Queryable } from '../../../platform/database/database.ts';
import { containing } from '../../people/projects/index.ts';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

/** Kinds of results: CSV for download, and tables from which pages are read. */
export type CrossingResultKind = 'csv' | 'table' | 'progeny_csv' | 'progeny_table';

const INPUTS = {
  model: 'model',
  genotype: 'GENOTYPE',
  crossing_table: 'CROSSING_TABLE',
  // Without it, distances are derived from base pairs.
  linkage_map: { optional: 'LINKAGE_MAP' },
} as const;

/** Over the table with the alias `one`; null until the run has ended well. */
export const CROSSING_KEY_FIGURE = sql<string | null>`
  case when one.report is not null then
    (one.report ->> 'crosses') || case one.report ->> 'crosses' when '1' then ' cross' else ' crosses' end
    || coalesce(', best ' || (one.report #>> array['best', one.traits[1], 'cross']), '') end`;

export const crossingSelection = selectionOf('crossing_simulation', INPUTS, (query) =>
  query
    .select(['one.seed', 'one.status'])
    .select(CROSSING_KEY_FIGURE.as('key_figure'))
    .select((one) => [
      one.ref('one.parameters').$castTo<CrossingParameters>().as('parameters'),
      one.ref('one.error_extra').$castTo<ErrorExtra | null>().as('error_extra'),
      one.ref('one.report').$castTo<CrossingReport | null>().as('report'),
      one.ref('one.result_keys').$castTo<Partial<Record<CrossingResultKind, string>>>().as('result_keys'),
    ]),
);
export type CrossingSimulationRow = RowOf<typeof crossingSelection>;

/** A filter of the list. */
export const filterOfName = ({
  crossing_simulation_name: name,
}: z.output<typeof listCrossingSimulationsQuery>): RawBuilder<boolean>[] =>
  name === undefined ? [] : [sql<boolean>`one.name ilike ${containing(name)}`];

/** Gives a simulation that waits its phased genotype; false if it waits no more. */
export async function updatePhasedGenotype(
  db: Queryable,
  { project_id, id }: Pick<CrossingSimulationRow, 'project_id' | 'id'>,
  { from, to, parameters }: { from: string; to: string; parameters: object },
): Promise<boolean> {
  const row = await db
    .updateTable('crossing_simulations')
    .set({ genotype_id: to, parameters })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', 'PROCESSING')
    .where('genotype_id', '=', from)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
