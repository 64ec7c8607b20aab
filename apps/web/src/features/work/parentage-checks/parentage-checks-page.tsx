import type { ParentageCheck } from '@heterosis/contracts/work/parentage-checks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { RunListPage, type WithState } from '../runs/index.ts';
import { parentageChecksQuery, useParentageCheckMutations } from './parentage-checks.api.ts';

export function ParentageChecksPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const checks = useQuery(parentageChecksQuery(projectId));
  const { remove } = useParentageCheckMutations(projectId);
  const genotype: DataColumn<WithState<ParentageCheck>> = {
    id: 'genotype',
    header: t('runs.genotype'),
    value: (one) => one.genotype_name ?? t('runs.deletedFile'),
  };
  return (
    <RunListPage
      projectId={projectId}
      kind="parentage_check"
      runs={checks}
      createLabel={t('parentage_checks.create')}
      columns={[genotype]}
      byInputs={{
        label: t('parentage_checks.byInputs'),
        key: (one) => one.genotype_id ?? '',
        title: (one) => one.genotype_name ?? t('runs.deletedFile'),
      }}
      remove={remove}
    />
  );
}
