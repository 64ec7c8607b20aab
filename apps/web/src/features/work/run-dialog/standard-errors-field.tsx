import { MEANS_OPTIONS } from '@heterosis/contracts/options/shared';
import { MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import type { RunInputs } from './use-run-inputs.ts';

/** Columns of the chosen file that may hold standard errors: numbers that are no traits of the run. */
const columnsOf = (inputs: Pick<RunInputs, 'availableTraits' | 'traits'>): string[] =>
  inputs.availableTraits.filter((name) => !inputs.traits.includes(name));

/** Columns with the standard errors of the traits, in their order. */
export function StandardErrorsField({
  inputs,
  value,
  error,
  onChange,
}: {
  inputs: Pick<RunInputs, 'availableTraits' | 'traits'>;
  value: string[];
  error: ReactNode;
  onChange: (columns: string[]) => void;
}) {
  const { t } = useTranslation();
  const textOf = useOptionText('shared', MEANS_OPTIONS);
  const columns = columnsOf(inputs);
  return (
    <MultiSelect
      label={textOf('standard_errors', 'label')}
      description={textOf('standard_errors', 'hint')}
      placeholder={
        value.length > 0
          ? undefined
          : t(inputs.availableTraits.length === 0 ? 'runs.choosePhenotypeFirst' : 'runs.noStandardErrors')
      }
      data={columns}
      disabled={columns.length === 0}
      searchable
      clearable
      hidePickedOptions
      maxValues={Math.max(1, inputs.traits.length)}
      nothingFoundMessage={t('gwas.noSuchColumn')}
      value={value.filter((name) => columns.includes(name))}
      onChange={onChange}
      error={error}
    />
  );
}
