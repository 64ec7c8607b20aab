import type { FileDetail, PhenotypeQcBody, PhenotypeRows, TraitSummaryBody } from '@heterosis/contracts/files';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../components/charts/chart-colors.ts';
import { Figure } from '../../components/charts/figure.tsx';
import { heatmapOption } from '../../components/charts/heatmap.ts';
import { histogramOption, histogramRows } from '../../components/charts/histogram.ts';
import { type DataColumn, DataTable, type Sort } from '../../components/data-table.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { NumberCell } from '../../components/number-cell.tsx';
import { Section } from '../../components/section.tsx';
import { TabStrip } from '../../components/tab-strip.tsx';
import { useTabInAddress } from '../../components/use-tab-in-address.ts';
import { formatCount, formatStatistic } from '../../lib/format.ts';
import classes from '../runs/run-parts.module.css';
import { phenotypeRowsQuery } from './files.api.ts';
import { SparkHistogram } from './spark-histogram.tsx';

const ROWS_SHOWN = 500;

export function PhenotypeQcView({ projectId, file, qc }: { projectId: string; file: FileDetail; qc: PhenotypeQcBody }) {
  const { t } = useTranslation();
  const tab = useTabInAddress();
  return (
    <>
      <FactsStrip
        facts={[
          { label: t('files.individuals'), value: formatCount(qc.individuals) },
          { label: t('runs.traits'), value: formatCount(qc.traits.length) },
          { label: t('files.phenotype.shapeHead'), value: t(`files.phenotype.shape.${qc.shape}`) },
        ]}
      />
      <TabStrip
        {...tab}
        label={t('files.qc.title')}
        tabs={[
          { id: 'traits', label: t('runs.traits'), content: <TraitTable file={file} qc={qc} /> },
          {
            id: 'correlations',
            label: t('files.phenotype.correlations'),
            content: <Correlations file={file} qc={qc} />,
          },
          {
            id: 'table',
            label: t('files.phenotype.table'),
            content: <PhenotypeTable projectId={projectId} file={file} />,
          },
        ]}
      />
    </>
  );
}

function TraitTable({ file, qc }: { file: FileDetail; qc: PhenotypeQcBody }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(qc.traits.find((one) => one.histogram)?.name);
  const number = (id: 'mean' | 'sd' | 'min' | 'max', header: string): DataColumn<TraitSummaryBody> => ({
    id,
    header,
    value: (row) => row[id],
    cell: (row) => <NumberCell value={row[id]} />,
    numeric: true,
    width: 90,
  });
  const columns: DataColumn<TraitSummaryBody>[] = [
    { id: 'name', header: t('runs.trait'), value: (row) => row.name },
    { id: 'unit', header: t('files.phenotype.unit'), value: (row) => row.unit, width: 90 },
    {
      id: 'n',
      header: 'n',
      value: (row) => row.n,
      cell: (row) => <NumberCell value={row.n} kind="count" />,
      numeric: true,
      width: 80,
      narrow: true,
    },
    number('mean', t('files.phenotype.mean')),
    number('sd', 'SD'),
    number('min', t('files.phenotype.min')),
    number('max', t('files.phenotype.max')),
    {
      id: 'h2',
      header: 'H²',
      value: (row) => row.h2,
      cell: (row) => <NumberCell value={row.h2} />,
      numeric: true,
      width: 80,
      hidden: qc.shape === 'wide',
    },
    {
      id: 'outliers',
      header: t('files.phenotype.outliers'),
      value: (row) => row.outliers.length,
      numeric: true,
      width: 100,
    },
    {
      id: 'histogram',
      header: t('files.phenotype.distribution'),
      value: (row) => (row.kind === 'categorical' ? t('files.phenotype.categorical') : null),
      cell: (row) =>
        row.histogram ? (
          <SparkHistogram counts={row.histogram.counts} label={row.name} />
        ) : (
          t('files.phenotype.categorical')
        ),
      width: 130,
      sortable: false,
    },
  ];
  const trait = qc.traits.find((one) => one.name === chosen);
  return (
    <>
      <DataTable
        id="traits"
        label={t('runs.traits')}
        columns={columns}
        rows={qc.traits}
        rowId={(row) => row.name}
        onOpen={(row) => setChosen(row.name)}
        isMarked={(row) => row.name === chosen}
        hasSearch={qc.traits.length > 8}
        csvName={`${file.name} traits`}
        maxHeight="22rem"
      />
      {trait?.histogram && <TraitFigure file={file} trait={trait} />}
    </>
  );
}

function TraitFigure({ file, trait }: { file: FileDetail; trait: TraitSummaryBody }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const histogram = trait.histogram ?? { min: 0, max: 1, counts: [] };
  const name = trait.unit ? `${trait.name} (${trait.unit})` : trait.name;
  const option = useMemo(
    () => histogramOption(histogram, { x: name, y: t('files.individuals'), format: formatStatistic }, colors),
    [histogram, name, colors, t],
  );
  return (
    <div className={classes.figures}>
      <Figure
        title={name}
        label={t('files.phenotype.histogramOf', { trait: trait.name })}
        option={option}
        height={260}
        fileName={`${file.name} ${trait.name}`}
        table={{ head: ['≥', '<', t('files.individuals')], rows: histogramRows(histogram), format: formatStatistic }}
      />
      {trait.outliers.length > 0 && (
        <Section title={t('files.phenotype.outliers')} note={t('files.phenotype.outliersNote')}>
          <DataTable
            id="outliers"
            label={t('files.phenotype.outliers')}
            hasSearch={false}
            rows={trait.outliers}
            rowId={(row) => `${row.individual} ${row.line}`}
            columns={[
              { id: 'individual', header: t('models.individual'), value: (row) => row.individual },
              {
                id: 'value',
                header: name,
                value: (row) => row.value,
                cell: (row) => <NumberCell value={row.value} />,
                numeric: true,
                narrow: true,
              },
              { id: 'line', header: t('files.report.line'), value: (row) => row.line, numeric: true },
            ]}
          />
        </Section>
      )}
    </div>
  );
}

function Correlations({ file, qc }: { file: FileDetail; qc: PhenotypeQcBody }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { names, values } = qc.correlations;
  const option = useMemo(
    () =>
      heatmapOption(names, values, { min: -1, max: 1, format: formatStatistic, showNames: names.length <= 40 }, colors),
    [names, values, colors],
  );
  if (names.length < 2) return <p className="hx-muted">{t('files.phenotype.oneTrait')}</p>;
  return (
    <Figure
      title={t('files.phenotype.correlations')}
      caption={t('files.phenotype.correlationsCaption')}
      label={t('files.phenotype.correlations')}
      option={option}
      height={Math.min(560, 220 + names.length * 24)}
      fileName={`${file.name} correlations`}
      table={{
        head: [t('runs.trait'), ...names],
        rows: names.map((name, row) => [name, ...values.slice(row * names.length, (row + 1) * names.length)]),
        format: formatStatistic,
      }}
    />
  );
}

type Row = PhenotypeRows['data'][number];

function PhenotypeTable({ projectId, file }: { projectId: string; file: FileDetail }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>();
  const query = useQuery(
    phenotypeRowsQuery(projectId, file.id, {
      sort: sort && `${sort.descending ? '-' : ''}${sort.column}`,
      search,
      limit: ROWS_SHOWN,
    }),
  );
  const columns: DataColumn<Row>[] = [
    { id: 'individual', header: t('models.individual'), value: (row) => row.individual },
    ...(query.data?.traits ?? []).map(
      (trait, index): DataColumn<Row> => ({
        id: trait,
        header: trait,
        value: (row) => row.values[index],
        cell: (row) => <NumberCell value={row.values[index]} />,
        numeric: true,
        narrow: index === 0,
      }),
    ),
  ];
  return (
    <DataTable
      id={`phenotype-${file.id}`}
      label={t('files.phenotype.table')}
      columns={columns}
      rows={query.data?.data}
      rowId={(row) => row.individual}
      isLoading={query.isPending}
      error={query.error}
      onRetry={() => void query.refetch()}
      remote={{ search, onSearch: setSearch, sort, onSort: setSort }}
      total={query.data?.total}
      csvUrl={file.meta.file_url ?? undefined}
    />
  );
}
