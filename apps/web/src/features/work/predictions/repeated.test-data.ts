import { AGAIN, ID, type Repeated } from '../../../testing/repeated-runs.ts';
import { predictionBody, predictionValues } from './prediction-form.ts';

export const repeated: Repeated<Parameters<typeof predictionValues>[0]> = {
  own: { exclusions: { only_samples: ['L1', 'L2'], max_sample_heterozygosity: 0.2, duplicates: true } },
  inputs: () => ({ model_id: ID(4), genotype_id: ID(1) }),
  again: (run) => predictionBody(predictionValues(run, AGAIN), { isSparse: false, takesRecords: true }),
};
