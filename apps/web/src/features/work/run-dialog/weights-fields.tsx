import { MEANS_OPTIONS } from '@heterosis/contracts/options/shared';
import { Input, MultiSelect, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import type { WeightChoice, WeightInputs, Weights, WeightValues } from './weights.ts';

const CHOICES: readonly Weights[] = ['none', 'se', 'full'];

/** What the values weigh, and with standard errors their columns, in the order of the traits. */
export function WeightsFields(props: {
  inputs: WeightInputs;
  choice: WeightChoice;
  errors: { weights?: ReactNode; standard_errors?: ReactNode };
  onChange: (values: Partial<WeightValues>) => void;
}) {
  const { inputs, choice, errors, onChange } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('shared', MEANS_OPTIONS);
  const { weights, columns, hasCovariance } = choice;
  const label = textOf('weights', 'label');
  const isAbsent: Record<Weights, boolean> = { none: false, se: columns.length === 0, full: !hasCovariance };
  const without = inputs.availableTraits.length > 0 && !hasCovariance ? ` ${t('runs.weights.noCovariance')}` : '';
  return (
    <>
      <Input.Wrapper
        label={label}
        description={`${t(`runs.weights.${weights}`)}${without}`}
        labelElement="div"
        error={errors.weights}
      >
        <SegmentedControl
          fullWidth
          aria-label={label}
          data={CHOICES.map((value) => ({
            value,
            label: textOf('weights', 'labels', value),
            disabled: isAbsent[value],
          }))}
          value={weights}
          onChange={(next) => onChange({ weights: CHOICES.find((one) => one === next) ?? '' })}
        />
      </Input.Wrapper>
      {weights === 'se' && (
        <MultiSelect
          label={textOf('standard_errors', 'label')}
          description={textOf('standard_errors', 'hint')}
          data={columns}
          searchable
          clearable
          hidePickedOptions
          maxValues={Math.max(1, inputs.traits.length)}
          nothingFoundMessage={t('gwas.noSuchColumn')}
          value={choice.standard_errors}
          onChange={(next) => onChange({ standard_errors: next })}
          error={errors.standard_errors}
        />
      )}
    </>
  );
}
