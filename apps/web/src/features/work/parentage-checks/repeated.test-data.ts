import { AGAIN, ID, type Repeated } from '../../../testing/repeated-runs.ts';
import { checkBody, checkValues } from './check-form.ts';

export const repeated: Repeated<Parameters<typeof checkValues>[0]> = {
  inputs: ({ pedigree }) => ({ genotype_id: ID(1), ...(pedigree === 'file' ? { pedigree_id: ID(3) } : {}) }),
  again: (run) => checkBody(checkValues(run, AGAIN)),
};
