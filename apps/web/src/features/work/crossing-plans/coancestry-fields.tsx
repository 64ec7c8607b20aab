import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { FileField } from '../../data/files/index.ts';
import { OptionField, OptionsBeside } from '../run-dialog/index.ts';
import type { PlanValues } from './plan-form.ts';

/** What coancestries follow from; with a pedigree and a single-step model, candidates need no genotype. */
export function CoancestryFields(props: {
  projectId: string;
  form: UseFormReturnType<PlanValues>;
  isSingleStep: boolean;
  ploidy: number;
}) {
  const { projectId, form, isSingleStep, ploidy } = props;
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
      {pedigree !== undefined && ploidy > 2 && (
        <OptionsBeside
          analysis="crossing_plans"
          table={PLAN_OPTIONS}
          names={['double_reduction', 'founders']}
          form={form}
        />
      )}
      {pedigree !== undefined && (isSingleStep || from === 'model') && (
        <OptionField analysis="crossing_plans" table={PLAN_OPTIONS} name="candidates_from" form={form} />
      )}
    </>
  );
}
