export { againName } from './again-name.ts';
export { CovariateFields, covariateChoice } from './covariate-fields.tsx';
export { proposedName } from './propose-name.ts';
export { RunDialog, RunInputFields, WithSource } from './run-dialog.tsx';
export { useDraftForm, useProposedName } from './use-draft.ts';
export { type ChosenFile, type RunInputs, runInputBody, runInputValues, useRunInputs } from './use-run-inputs.ts';
