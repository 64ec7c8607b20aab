import { AGAIN, ID, type Repeated, TRAITS } from '../../../testing/repeated-runs.ts';
import { trialBody, trialValues } from './trial-form.ts';

export const repeated: Repeated<NonNullable<Parameters<typeof trialValues>[0]>> = {
  own: {
    overrides: [{ environment: 'Bonn', trait: 'yield', model: 'rowcol' }],
    set_aside: [{ environment: 'Bonn', row: 1, column: 2, reason: 'Deer' }],
  },
  inputs: () => ({ phenotype_ids: [ID(2)], genotype_id: ID(1), pedigree_id: ID(3), traits: TRAITS }),
  again: (run) => trialBody(trialValues(run, AGAIN), run),
};
