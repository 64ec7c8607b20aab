import type { FileDetail } from '@heterosis/contracts/data/files';
import type { FileQc } from '@heterosis/contracts/data/files-qc';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../../components/page/facts-strip.tsx';
import { ResultsSkeleton } from '../../../../components/page/loading.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { formatCount } from '../../../../lib/format/format.ts';
import { fileQcQuery } from '../files.api.ts';
import { GenesQcView } from './genes-qc-view.tsx';
import { GenotypeQcView } from './genotype-qc-view.tsx';
import { ParentsInGenotype } from './parents-in-genotype.tsx';
import { PedigreeQcView } from './pedigree-qc-view.tsx';
import { PhenotypeQcView } from './phenotype-qc-view.tsx';

/** What is in a checked file: figures and plots of its kind. */
export function FileQcView({ projectId, file }: { projectId: string; file: FileDetail }) {
  const query = useQuery(fileQcQuery(projectId, file.id));
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <ResultsSkeleton />;
  switch (query.data.kind) {
    case 'genotype':
      return <GenotypeQcView file={file} qc={query.data} />;
    case 'phenotype':
      return <PhenotypeQcView projectId={projectId} file={file} qc={query.data} />;
    case 'linkage_map':
      return <LinkageMapView qc={query.data} />;
    case 'crossing_table':
      return <CrossingTableView projectId={projectId} fileId={file.id} qc={query.data} />;
    case 'pedigree':
      return <PedigreeQcView file={file} qc={query.data} />;
    case 'genes':
      return <GenesQcView qc={query.data} />;
  }
}

type MapQc = Extract<FileQc, { kind: 'linkage_map' }>;
type TableQc = Extract<FileQc, { kind: 'crossing_table' }>;

function LinkageMapView({ qc }: { qc: MapQc }) {
  const { t } = useTranslation();
  const columns: DataColumn<MapQc['chromosomes'][number]>[] = [
    { id: 'name', header: t('word.chromosome'), value: (row) => row.name },
    {
      id: 'markers',
      header: t('word.markers'),
      value: (row) => row.markers,
      cell: (row) => <NumberCell value={row.markers} kind="count" />,
      numeric: true,
      narrow: true,
    },
    {
      id: 'length',
      header: t('files.map.length'),
      unit: 'cM',
      value: (row) => row.length_cm,
      cell: (row) => <NumberCell value={row.length_cm} decimals={1} />,
      numeric: true,
    },
  ];
  return (
    <Section title={t('files.type.LINKAGE_MAP')}>
      <FactsStrip
        facts={[
          { label: t('word.markers'), value: formatCount(qc.markers) },
          { label: t('files.map.chromosomes'), value: formatCount(qc.chromosomes.length) },
          {
            label: t('files.map.total'),
            value: `${formatCount(qc.chromosomes.reduce((sum, one) => sum + (one.length_cm ?? 0), 0))} cM`,
          },
        ]}
      />
      <DataTable
        id="map-chromosomes"
        label={t('files.type.LINKAGE_MAP')}
        columns={columns}
        rows={qc.chromosomes}
        hasSearch={false}
        rowId={(row) => row.name}
      />
    </Section>
  );
}

function CrossingTableView({ projectId, fileId, qc }: { projectId: string; fileId: string; qc: TableQc }) {
  const { t } = useTranslation();
  // The column may be left out of the file.
  const hasProgeny = qc.crosses.some(({ progeny_count: count }) => (count ?? 0) > 0);
  const columns: DataColumn<TableQc['crosses'][number]>[] = [
    { id: 'name', header: t('files.crosses.cross'), value: (row) => row.name },
    { id: 'female', header: t('word.female'), value: (row) => row.female, narrow: true },
    { id: 'male', header: t('word.male'), value: (row) => row.male },
    {
      id: 'type',
      header: t('files.typeHead'),
      value: (row) => row.type?.replaceAll('_', ' '),
      width: 130,
      hidden: qc.crosses.every(({ type }) => type === undefined),
    },
    {
      id: 'n',
      hidden: !hasProgeny,
      header: t('files.crosses.progeny'),
      value: (row) => row.progeny_count,
      cell: (row) => <NumberCell value={row.progeny_count} kind="count" />,
      numeric: true,
      width: 110,
    },
  ];
  const parents = new Set(qc.crosses.flatMap(({ female, male }) => [female, male]));
  return (
    <Section title={t('files.crosses.title')}>
      <FactsStrip
        facts={[
          { label: t('files.crosses.title'), value: formatCount(qc.crosses.length) },
          { label: t('word.parents'), value: formatCount(parents.size) },
          ...(hasProgeny
            ? [
                {
                  label: t('files.crosses.progeny'),
                  value: formatCount(qc.crosses.reduce((sum, one) => sum + (one.progeny_count ?? 0), 0)),
                },
              ]
            : []),
        ]}
      />
      <ParentsInGenotype projectId={projectId} fileId={fileId} />
      <DataTable
        id="crossing-table"
        label={t('files.crosses.title')}
        columns={columns}
        rows={qc.crosses}
        rowId={(row) => row.name}
      />
    </Section>
  );
}
