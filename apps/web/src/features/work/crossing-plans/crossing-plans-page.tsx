import type { CrossingPlan } from '@heterosis/contracts/work/crossing-plans';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { RunListPage, type WithState } from '../runs/index.ts';
import { crossingPlansQuery, useCrossingPlanMutations } from './crossing-plans.api.ts';

export function CrossingPlansPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const plans = useQuery(crossingPlansQuery(projectId));
  const { remove } = useCrossingPlanMutations(projectId);
  const columns: DataColumn<WithState<CrossingPlan>>[] = [
    { id: 'model', header: t('predictions.model'), value: (one) => one.model_name, hidden: true },
    { id: 'genotype', header: t('runs.genotype'), value: (one) => one.genotype_name, hidden: true },
  ];
  return (
    <RunListPage
      projectId={projectId}
      kind="crossing_plan"
      runs={plans}
      createLabel={t('crossing_plans.create')}
      columns={columns}
      byInputs={{
        label: t('crossing_plans.byInputs'),
        key: (one) => `${one.model_name} ${one.genotype_id}`,
        title: (one) => {
          const model = one.model_name ?? t('predictions.deletedModel');
          if (one.candidates_from === 'model') return model;
          return `${model} × ${one.genotype_name ?? t('runs.deletedFile')}`;
        },
      }}
      remove={remove}
    />
  );
}
