import type { Model } from '@heterosis/contracts/work/models';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { formatDecimals } from '../../../lib/format/format.ts';
import { useTraitOrder } from '../../people/projects/index.ts';
import { figureColumn, RunListPage, type WithState } from '../runs/index.ts';
import { modelsQuery, useModelMutations } from './models.api.ts';

const R_DECIMALS = 2;

export function ModelsPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const inOrder = useTraitOrder(projectId);
  const models = useQuery(modelsQuery(projectId));
  const { remove } = useModelMutations(projectId);
  const figures = [
    figureColumn<WithState<Model>>(models.data, inOrder, {
      id: 'r',
      header: t('models.r'),
      hint: t('models.rHint'),
      value: (one, trait) => one.evaluation[trait]?.pearson_r.mean,
      error: { header: t('models.rSd'), value: (one, trait) => one.evaluation[trait]?.pearson_r.sd },
      format: (r) => formatDecimals(r, R_DECIMALS),
      sortedBy: (values) => Math.max(...values),
      minWidth: 300,
    }),
  ];
  const columns: DataColumn<WithState<Model>>[] = [
    {
      id: 'dominance',
      header: t('models.effects'),
      value: (one) => (one.include_dominance_effects ? t('models.additiveDominance') : t('models.additive')),
      width: 175,
    },
    { id: 'genotype', header: t('runs.genotype'), value: (one) => one.genotype_name, hidden: true },
    { id: 'phenotype', header: t('runs.phenotype'), value: (one) => one.phenotype_name, hidden: true },
  ];
  return (
    <RunListPage
      projectId={projectId}
      kind="model"
      runs={models}
      createLabel={t('models.train')}
      figures={figures}
      columns={columns}
      byInputs={{
        label: t('runs.byInputs'),
        key: (one) => `${one.genotype_id} ${one.phenotype_id}`,
        title: (one) =>
          `${one.genotype_name ?? t('runs.deletedFile')} × ${one.phenotype_name ?? t('runs.deletedFile')}`,
      }}
      remove={remove}
      compareWith="compare-models"
    />
  );
}
