import { AGAIN, ID, RENAMES, type Repeated, TRAITS } from '../../../testing/repeated-runs.ts';
import { crossingBody, crossingValues } from './use-crossing-form.ts';

export const repeated: Repeated<Parameters<typeof crossingValues>[0]> = {
  inputs: ({ bp_per_cm }) => ({
    ...{ model_id: ID(4), genotype_id: ID(1), crossing_table_id: ID(6), renames: RENAMES },
    ...(bp_per_cm === undefined ? { linkage_map_id: ID(5) } : {}),
  }),
  again: (run) => crossingBody(crossingValues(run, AGAIN), TRAITS),
};
