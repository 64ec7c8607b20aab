import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { Gwas } from '@heterosis/contracts/work/gwas';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatDecimals } from '../../../lib/format/format.ts';
import { useTraitOrder } from '../../people/projects/index.ts';
import { figureColumn, RunListPage, type WithState } from '../runs/index.ts';
import { gwasListQuery, useGwasMutations } from './gwas.api.ts';

const LAMBDA_DECIMALS = 2;

export function GwasListPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const textOf = useOptionText('gwas', GWAS_OPTIONS);
  const inOrder = useTraitOrder(projectId);
  const list = useQuery(gwasListQuery(projectId));
  const { remove } = useGwasMutations(projectId);
  const figures = [
    figureColumn<WithState<Gwas>>(list.data, inOrder, {
      id: 'hits',
      header: t('gwas.hits'),
      value: (one, trait) => one.summary[trait]?.hits,
      format: formatCount,
      sortedBy: (values) => values.reduce((sum, value) => sum + value, 0),
      minWidth: 220,
    }),
    figureColumn<WithState<Gwas>>(list.data, inOrder, {
      id: 'lambda',
      header: 'λ',
      value: (one, trait) => one.summary[trait]?.lambda,
      format: (lambda) => formatDecimals(lambda, LAMBDA_DECIMALS),
      sortedBy: (values) => Math.max(...values),
      minWidth: 260,
    }),
  ];
  const columns: DataColumn<WithState<Gwas>>[] = [
    { id: 'test', header: textOf('test', 'label'), value: (one) => one.test, width: 90 },
    { id: 'fixed', header: t('gwas.fixedShort'), value: (one) => one.fixed, numeric: true, width: 70 },
    { id: 'genotype', header: t('runs.genotype'), value: (one) => one.genotype_name, hidden: true },
    { id: 'phenotype', header: t('runs.phenotype'), value: (one) => one.phenotype_name, hidden: true },
  ];
  return (
    <RunListPage
      projectId={projectId}
      kind="gwas"
      runs={list}
      createLabel={t('gwas.run')}
      figures={figures}
      columns={columns}
      byInputs={{
        label: t('runs.byInputs'),
        key: (one) => `${one.genotype_id} ${one.phenotype_id}`,
        title: (one) =>
          `${one.genotype_name ?? t('runs.deletedFile')} × ${one.phenotype_name ?? t('runs.deletedFile')}`,
      }}
      remove={remove}
      compareWith="compare-gwas"
    />
  );
}
