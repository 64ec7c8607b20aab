import { AGAIN, ID, type Repeated, TRAITS } from '../../../testing/repeated-runs.ts';
import { planBody, planValues } from './plan-form.ts';

export const repeated: Repeated<Parameters<typeof planValues>[0]> = {
  inputs: ({ candidates_from: from, made_from: made }) => ({
    ...{ model_id: ID(4), pedigree_id: ID(3), traits: TRAITS },
    ...(from === 'model' ? { population: null } : { genotype_id: ID(1), linkage_map_id: ID(5) }),
    ...(Array.isArray(made) && made.includes('crossing_tables') ? {} : { crossing_table_id: ID(6) }),
  }),
  again: (run) => planBody(planValues(run, AGAIN), TRAITS),
};
