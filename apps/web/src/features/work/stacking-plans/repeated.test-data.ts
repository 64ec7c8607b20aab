import { AGAIN, ID, type Repeated } from '../../../testing/repeated-runs.ts';
import { stackBody, stackValues } from './stack-form.ts';

export const repeated: Repeated<Parameters<typeof stackValues>[0]> = {
  own: { targets: [{ marker: 'm1', allele: 'A' }], donors: ['L1', 'L2'], recurrent: 'L3' },
  inputs: ({ bp_per_cm }) => ({
    ...{ genotype_id: ID(1), donors: ['L1'], targets: [{ marker: 'm2', allele: 'C' }] },
    ...(bp_per_cm === undefined ? { linkage_map_id: ID(5) } : {}),
  }),
  again: (run) => stackBody(stackValues(run, AGAIN)),
};
