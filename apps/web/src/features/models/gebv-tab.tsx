import type { GebvRow, ModelDetail } from '@heterosis/contracts/models';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable, type Sort } from '../../components/data-table.tsx';
import { NumberCell } from '../../components/number-cell.tsx';
import { ReliabilityBar } from '../../components/reliability-bar.tsx';
import { sharedDecimals } from '../../lib/format.ts';
import { itemsOf } from '../../lib/pages.ts';
import { fileQuery, useUnitOf } from '../files/index.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';
import { gebvQuery } from './models.api.ts';

export function GebvTab({ projectId, model, traits }: { projectId: string; model: ModelDetail; traits: string[] }) {
  const { t } = useTranslation();
  const { trait, choose } = useTraitInAddress(traits);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>({ column: 'gebv', descending: true });
  const serverSort = sort.column === 'individual' ? 'individual' : sort.descending ? '-gebv' : 'gebv';
  const query = useInfiniteQuery(gebvQuery(projectId, model.id, { trait, search, sort: serverSort }));
  const panel = useQuery({
    ...fileQuery(projectId, model.genotype?.id ?? ''),
    enabled: model.genotype !== null,
  });
  const unit = useUnitOf(projectId, model.phenotype)(trait);
  const [firstPage] = query.data?.pages ?? [];
  const decimals = sharedDecimals(firstPage?.data.map((row) => row.gebv) ?? []);
  const columns: DataColumn<GebvRow>[] = [
    { id: 'individual', header: t('models.individual'), value: (row) => row.individual },
    {
      id: 'rank',
      header: t('models.rank'),
      value: (row) => row.rank,
      cell: (row) => <NumberCell value={row.rank} kind="count" />,
      numeric: true,
      width: 80,
      sortable: false,
    },
    {
      id: 'gebv',
      header: 'GEBV',
      unit,
      value: (row) => row.gebv,
      cell: (row) => <NumberCell value={row.gebv} decimals={decimals} />,
      numeric: true,
      width: 130,
      narrow: true,
    },
    {
      id: 'reliability',
      header: t('models.reliability'),
      value: (row) => row.reliability,
      cell: (row) => <ReliabilityBar value={row.reliability} />,
      numeric: true,
      width: 170,
      sortable: false,
    },
    {
      id: 'observed',
      header: t('models.observed'),
      unit,
      value: (row) => row.observed,
      cell: (row) => <NumberCell value={row.observed} decimals={decimals} />,
      numeric: true,
      width: 130,
      sortable: false,
    },
  ];
  return (
    <>
      <TraitSelect traits={traits} value={trait} onChange={choose} />
      <p className="hx-muted">{t('models.gebvNote')}</p>
      <DataTable
        id="gebv"
        searchLabel={t('models.searchIndividuals')}
        label={t('models.gebv')}
        columns={columns}
        rows={query.data ? itemsOf(query.data) : undefined}
        rowId={(row) => row.individual}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        remote={{ search, onSearch: setSearch, sort, onSort: setSort }}
        more={{
          hasMore: query.hasNextPage,
          isLoading: query.isFetchingNextPage,
          load: () => void query.fetchNextPage(),
        }}
        total={search === '' ? (panel.data?.row_count ?? undefined) : undefined}
        csvUrl={model.gebv_csv_urls[trait] ?? undefined}
        maxHeight="32rem"
      />
    </>
  );
}
