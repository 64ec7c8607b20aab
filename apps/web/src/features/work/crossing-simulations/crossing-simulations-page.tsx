import type { CrossingSimulation } from '@heterosis/contracts/work/crossing-simulations';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { RunListPage, type WithState } from '../runs/index.ts';
import { crossingSimulationsQuery, useCrossingSimulationMutations } from './crossing-simulations.api.ts';

export function CrossingSimulationsPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const simulations = useQuery(crossingSimulationsQuery(projectId));
  const { remove } = useCrossingSimulationMutations(projectId);
  const columns: DataColumn<WithState<CrossingSimulation>>[] = [
    { id: 'model', header: t('predictions.model'), value: (one) => one.model_name, hidden: true },
    { id: 'genotype', header: t('runs.genotype'), value: (one) => one.genotype_name, hidden: true },
    {
      id: 'crossing_table',
      header: t('crossing_simulations.crossingTable'),
      value: (one) => one.crossing_table_name,
      hidden: true,
    },
  ];
  return (
    <RunListPage
      projectId={projectId}
      kind="crossing_simulation"
      runs={simulations}
      createLabel={t('crossing_simulations.create')}
      columns={columns}
      byInputs={{
        label: t('crossing_simulations.byInputs'),
        key: (one) => `${one.model_name} ${one.genotype_id} ${one.crossing_table_id}`,
        title: (one) =>
          [
            one.model_name ?? t('predictions.deletedModel'),
            one.genotype_name ?? t('runs.deletedFile'),
            one.crossing_table_name ?? t('runs.deletedFile'),
          ].join(' × '),
      }}
      remove={remove}
    />
  );
}
