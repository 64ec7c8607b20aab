import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import { MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { isSampled } from './model-form.ts';

type ComparedModel = (typeof MODEL_OPTIONS.compared_models.choices)[number];

/** Models that are evaluated on the folds of the one that is trained. */
export function ComparedModelsField(props: {
  value: ComparedModel[];
  ploidy: number;
  isDisabled: boolean;
  error: ReactNode;
  onChange: (models: ComparedModel[]) => void;
}) {
  const { value, ploidy, isDisabled, error, onChange } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('models', MODEL_OPTIONS);
  const choices = MODEL_OPTIONS.compared_models.choices.filter(
    (model) => model !== 'rrblup' && (ploidy === 2 || !isSampled(model)),
  );
  return (
    <MultiSelect
      label={textOf('compared_models', 'label')}
      description={
        isDisabled
          ? t('models.notComparable')
          : `${textOf('compared_models', 'hint')}${ploidy === 2 ? '' : ` ${t('models.samplersOfDiploids')}`}`
      }
      placeholder={value.length === 0 ? t('models.noComparison') : undefined}
      data={choices.map((model) => ({ value: model, label: t(`models.modelName.${model}`) }))}
      value={value}
      disabled={isDisabled}
      error={error}
      onChange={(chosen) => onChange(choices.filter((model) => chosen.includes(model)))}
    />
  );
}
