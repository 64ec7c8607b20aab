import type { Prediction } from '@heterosis/contracts/work/predictions';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { RunListPage, type WithState } from '../runs/index.ts';
import { predictionsQuery, usePredictionMutations } from './predictions.api.ts';

export function PredictionsPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const predictions = useQuery(predictionsQuery(projectId));
  const { remove } = usePredictionMutations(projectId);
  const columns: DataColumn<WithState<Prediction>>[] = [
    { id: 'model', header: t('predictions.model'), value: (one) => one.model_name, hidden: true },
    { id: 'genotype', header: t('runs.genotype'), value: (one) => one.genotype_name, hidden: true },
  ];
  return (
    <RunListPage
      projectId={projectId}
      kind="prediction"
      runs={predictions}
      createLabel={t('predictions.create')}
      columns={columns}
      byInputs={{
        label: t('predictions.byInputs'),
        key: (one) => `${one.model_name} ${one.genotype_id}`,
        title: (one) =>
          `${one.model_name ?? t('predictions.deletedModel')} × ${one.genotype_name ?? t('runs.deletedFile')}`,
      }}
      remove={remove}
    />
  );
}
