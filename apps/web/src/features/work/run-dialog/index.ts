export { type CovariateChoice, covariateChoice } from './covariate-fields.tsx';
export { LinkageMapField, LowTraitsField } from './crossing-fields.tsx';
export { ExclusionFields } from './exclusion-fields.tsx';
export { exclusionsBody, exclusionValues, hasLimitError } from './exclusions.ts';
export { OptionField, OptionFields, type OptionForm, OptionsBeside } from './option-fields.tsx';
export {
  excludedBy,
  limitsOf,
  type OptionValues,
  optionBody,
  optionErrors,
  optionsKept,
  optionValues,
} from './option-values.ts';
export { PresetField } from './preset-field.tsx';
export { proposedName } from './propose-name.ts';
export { keptIn, RunDialog, type RunFormProps, runDialog, TraitRunDialog, WithSource } from './run-dialog.tsx';
export { RunNameField } from './run-name-field.tsx';
export { TraitChooser } from './trait-chooser.tsx';
export { traitRunFields } from './trait-run-fields.tsx';
export { traitRunBody, traitRunValues } from './trait-run-form.ts';
export { useDraftForm } from './use-draft.ts';
export { useRunForm, useRunSubmission } from './use-run-form.ts';
export { type ChosenFile, type RunInputs, runInputValues, useRunInputs } from './use-run-inputs.ts';
export { type WeightChoice, weightChoice, weightValues } from './weights.ts';
