import { MultiSelect, NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/form/form-columns.module.css';
import { NumberField } from '../../../components/form/number-field.tsx';
import { FileField } from '../../data/files/index.ts';
import { LIMITS, type PlanValues, POPULATIONS } from './plan-form.ts';

type PlanForm = UseFormReturnType<PlanValues>;

/** What the progeny shall be good in; `traits` are those of the model. */
export function TraitFields({ form, traits }: { form: PlanForm; traits: string[] }) {
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
        {...form.getInputProps('traits')}
      />
      <MultiSelect
        label={t('crossing_simulations.lowTraits')}
        description={t('crossing_simulations.lowTraitsHint')}
        data={values.traits.length > 0 ? values.traits : traits}
        clearable
        hidePickedOptions
        {...form.getInputProps('low_traits')}
      />
    </>
  );
}

/** How many crosses are made, and how often a parent may be used. */
export function CrossFields({ form }: { form: PlanForm }) {
  const { t } = useTranslation();
  return (
    <div className={classes.pair}>
      <NumberField label={t('crossing_plans.crosses')} limits={LIMITS.crosses} {...form.getInputProps('crosses')} />
      <NumberField label={t('crossing_plans.maxUses')} limits={LIMITS.max_uses} {...form.getInputProps('max_uses')} />
    </div>
  );
}

/** What is made of each cross, for the spread among its progeny. */
export function ProgenyFields({ projectId, form }: { projectId: string; form: PlanForm }) {
  const { t } = useTranslation();
  const { values } = form;
  return (
    <>
      <NativeSelect
        label={t('crossing_simulations.population')}
        description={t('crossing_plans.populationHint')}
        data={[
          ...POPULATIONS.map((value) => ({ value, label: t(`crossing_simulations.populations.${value}`) })),
          { value: '', label: t('crossing_plans.noPopulation') },
        ]}
        {...form.getInputProps('population')}
      />
      <FileField
        label={t('crossing_simulations.linkageMap')}
        projectId={projectId}
        types={['LINKAGE_MAP']}
        value={values.linkage_map_id}
        onChange={(file) => form.setFieldValue('linkage_map_id', file)}
        emptyText={t('crossing_simulations.noMap')}
        error={form.errors.linkage_map_id}
      />
    </>
  );
}
