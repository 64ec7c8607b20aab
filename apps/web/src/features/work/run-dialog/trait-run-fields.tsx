import type { ReactNode } from 'react';
import { type CovariateChoice, CovariateFields, type CovariateValues } from './covariate-fields.tsx';
import { ExclusionFields } from './exclusion-fields.tsx';
import type { ExclusionValues } from './exclusions.ts';
import type { ChosenFile, RunInputs } from './use-run-inputs.ts';
import type { WeightChoice, WeightValues } from './weights.ts';
import { WeightsFields } from './weights-fields.tsx';

/** What these fields need of the form of a run. */
interface TraitRunForm {
  values: { genotype_id: ChosenFile | undefined };
  errors: Readonly<Record<string, ReactNode>>;
  setValues: (values: Partial<CovariateValues & WeightValues>) => void;
  getInputProps: (name: 'exclusions') => { value?: ExclusionValues; onChange: (values: ExclusionValues) => void };
}

/** The fields of their own that GWAS and training have both, by option. */
export function traitRunFields(
  projectId: string,
  form: TraitRunForm,
  chosen: { inputs: RunInputs; choice: CovariateChoice; weighing: WeightChoice },
) {
  const { inputs, choice, weighing } = chosen;
  const { errors, setValues } = form;
  return {
    weights: (
      <WeightsFields
        inputs={inputs}
        choice={weighing}
        errors={{ weights: errors['weights'], standard_errors: errors['standard_errors'] }}
        onChange={setValues}
      />
    ),
    // Its field is that of the weights.
    standard_errors: null,
    covariates: <CovariateFields inputs={inputs} choice={choice} error={errors['covariates']} onChange={setValues} />,
    exclusions: (
      <ExclusionFields
        projectId={projectId}
        genotypeId={form.values.genotype_id?.id}
        input={form.getInputProps('exclusions')}
      />
    ),
  };
}
