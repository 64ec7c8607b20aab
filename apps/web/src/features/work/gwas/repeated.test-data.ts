import { ofTraits, type Repeated, t, UNREAD } from '../../../testing/repeated-runs.ts';
import { covariateChoice, weightChoice } from '../run-dialog/index.ts';
import { gwasBody, gwasValues } from './dialog/gwas-form.ts';

export const repeated: Repeated<Parameters<typeof gwasValues>[0]> = {
  inputs: ofTraits,
  again: (run) => {
    const values = gwasValues(run, [], t);
    const choice = { ...covariateChoice(UNREAD, values), weighing: weightChoice(UNREAD, values) };
    return gwasBody(values, { renames: values.renames }, choice);
  },
};
