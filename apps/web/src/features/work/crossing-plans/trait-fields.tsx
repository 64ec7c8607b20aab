import { MultiSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { LowTraitsField } from '../run-dialog/index.ts';
import type { PlanValues } from './plan-form.ts';

/** What the progeny shall be good in; `traits` are those of the model. */
export function TraitFields({ form, traits }: { form: UseFormReturnType<PlanValues>; traits: string[] }) {
  const { t } = useTranslation();
  const { values } = form;
  return (
    <>
      <MultiSelect
        label={t('crossing_plans.traits')}
        description={t('crossing_plans.traitsHint')}
        data={traits}
        placeholder={values.traits.length === 0 ? t('crossing_plans.allTraits') : ''}
        clearable
        hidePickedOptions
        disabled={traits.length === 0 && values.traits.length === 0}
        {...form.getInputProps('traits')}
      />
      <LowTraitsField form={form} traits={values.traits.length > 0 ? values.traits : traits} />
    </>
  );
}
