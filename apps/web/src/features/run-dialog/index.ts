export { againName } from './again-name.ts';
export { CovariateFields, covariateChoice } from './covariate-fields.tsx';
export { RunDialog, RunInputFields, WithSource } from './run-dialog.tsx';
export { type ChosenFile, type RunInputs, runInputBody, runInputValues, useRunInputs } from './use-run-inputs.ts';
