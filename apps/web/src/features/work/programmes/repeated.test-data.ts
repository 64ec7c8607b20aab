import { AGAIN, ID, type Repeated, TRAITS } from '../../../testing/repeated-runs.ts';
import { programmeBody, programmeValues } from './use-programme-form.ts';

const FEW = { qtl: 5, effects: 'equal', mean: 3, variance: 2, dominance: 0.5 };
const ARCHITECTURE = { trait: 'yield', ...FEW };
const SCHEME = {
  ...{ name: 'One', cycles: 1, error: { environment: 1, plot: 1 }, start: [] },
  cycle: TRAITS.map((trait) => ({
    ...{ do: 'phenotype', population: 'founders', trait, environments: 1, replicates: 1, as: trait },
  })),
};

export const repeated: Repeated<Parameters<typeof programmeValues>[0]> = {
  own: { schemes: [SCHEME], founders: ['L1', 'L2'], architecture: [ARCHITECTURE, { trait: 'height', ...FEW }] },
  inputs: ({ architecture, bp_per_cm }) => ({
    ...{ genotype_id: ID(1), schemes: [SCHEME] },
    ...(architecture === undefined ? { model_id: ID(4), traits: TRAITS } : {}),
    ...(bp_per_cm === undefined ? { linkage_map_id: ID(5) } : {}),
  }),
  again: (run) => programmeBody(programmeValues(run, AGAIN), []),
};
