import { NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { FileField } from '../../data/files/index.ts';
import type { PlanValues } from './plan-form.ts';

/** What coancestries follow from; with a pedigree and a single-step model, candidates need no genotype. */
export function CoancestryFields(props: {
  projectId: string;
  form: UseFormReturnType<PlanValues>;
  isSingleStep: boolean;
}) {
  const { projectId, form, isSingleStep } = props;
  const { t } = useTranslation();
  const { pedigree_id: pedigree, candidates_from: from } = form.values;
  return (
    <>
      <FileField
        label={t('crossing_plans.pedigree')}
        description={t('crossing_plans.pedigreeHint')}
        projectId={projectId}
        types={['PEDIGREE']}
        value={pedigree}
        onChange={(file) => form.setFieldValue('pedigree_id', file)}
        onClear={() => form.setFieldValue('pedigree_id', undefined)}
        emptyText={t('crossing_plans.byMarkers')}
        error={form.errors['pedigree_id']}
      />
      {pedigree !== undefined && (isSingleStep || from === 'model') && (
        <NativeSelect
          label={t('crossing_plans.candidatesFrom')}
          description={t('crossing_plans.candidatesFromHint')}
          value={from}
          onChange={({ currentTarget }) =>
            form.setFieldValue('candidates_from', currentTarget.value === 'model' ? 'model' : 'genotype')
          }
          data={(['genotype', 'model'] as const).map((value) => ({
            value,
            label: t(`crossing_plans.candidatesFromChoices.${value}`),
          }))}
          error={form.errors['candidates_from']}
        />
      )}
    </>
  );
}
