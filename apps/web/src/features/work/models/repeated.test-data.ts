import { ID, ofTraits, type Repeated, t, UNREAD } from '../../../testing/repeated-runs.ts';
import { covariateChoice, weightChoice } from '../run-dialog/index.ts';
import { modelBody, modelValues } from './model-form.ts';

export const repeated: Repeated<Parameters<typeof modelValues>[0]> = {
  inputs: (options) => ({
    ...ofTraits(options),
    ...(options['dominance_effect'] ||
    options['fixed'] ||
    options['compared_models'] ||
    options['model_type'] ||
    options['fixed_markers']
      ? {}
      : { pedigree_id: ID(3) }),
  }),
  again: (run) => {
    const values = modelValues(run, t);
    const choice = { ...covariateChoice(UNREAD, values), weighing: weightChoice(UNREAD, values) };
    return modelBody(values, { renames: values.renames }, { ...choice, leaveOut: values.leave_out });
  },
};
