import { histogramOption, histogramRows } from '@heterosis/charts/histogram';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { PedigreeQcBody } from '@heterosis/contracts/data/files-qc';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { FactsStrip } from '../../../../components/page/facts-strip.tsx';
import classes from '../../../../components/page/figures.module.css';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { formatCount, formatStatistic } from '../../../../lib/format/format.ts';

const HEIGHT = 260;

/** Founders, generations, inbreeding and coancestry of a pedigree file. */
export function PedigreeQcView({ file, qc }: { file: FileDetail; qc: PedigreeQcBody }) {
  const { t } = useTranslation();
  const generations = { min: -0.5, max: qc.generations.length - 0.5, counts: qc.generations };
  return (
    <Section title={t('nav.pedigree')}>
      <FactsStrip
        facts={[
          { label: t('word.individuals'), value: formatCount(qc.individuals) },
          {
            label: t('files.pedigree.founders'),
            value: formatCount(qc.founders),
            ...(qc.added_founders > 0 ? { hint: t('files.pedigree.addedFounders', { count: qc.added_founders }) } : {}),
          },
          ...(qc.added_crosses > 0
            ? [{ label: t('files.pedigree.addedCrosses'), value: formatCount(qc.added_crosses) }]
            : []),
          { label: t('files.pedigree.generations'), value: formatCount(qc.generations.length) },
          { label: t('files.pedigree.oneParent'), value: formatCount(qc.one_parent) },
          { label: t('files.pedigree.selfed'), value: formatCount(qc.selfed) },
          { label: t('files.qc.meanInbreeding'), value: formatStatistic(qc.mean_inbreeding) },
          { label: t('files.pedigree.meanCoancestry'), value: formatStatistic(qc.mean_coancestry) },
        ]}
      />
      <div className={classes.figures}>
        <PedigreeHistogram
          title={t('files.pedigree.byGeneration')}
          x={t('word.generation')}
          histogram={generations}
          fileName={`${file.name} generations`}
        />
        <PedigreeHistogram
          title={t('word.inbreeding')}
          x={t('word.inbreedingF')}
          histogram={qc.inbreeding}
          fileName={`${file.name} inbreeding`}
        />
      </div>
      <MostInbred rows={qc.most_inbred} />
    </Section>
  );
}

function PedigreeHistogram(props: {
  title: string;
  x: string;
  histogram: { min: number; max: number; counts: number[] };
  fileName: string;
}) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { histogram, x } = props;
  const y = t('word.individuals');
  const option = useMemo(
    () => histogramOption(histogram, { x, y, format: formatStatistic }, colors),
    [histogram, x, y, colors],
  );
  return (
    <Figure
      title={props.title}
      label={props.title}
      option={option}
      height={HEIGHT}
      fileName={props.fileName}
      table={{ head: [`${x} ≥`, `${x} <`, y], rows: histogramRows(histogram), format: formatStatistic }}
    />
  );
}

function MostInbred({ rows }: { rows: PedigreeQcBody['most_inbred'] }) {
  const { t } = useTranslation();
  const columns: DataColumn<PedigreeQcBody['most_inbred'][number]>[] = [
    { id: 'name', header: t('files.pedigree.name'), value: (row) => row.name, narrow: true },
    {
      id: 'inbreeding',
      header: t('word.inbreedingF'),
      value: (row) => row.inbreeding,
      cell: (row) => <NumberCell value={row.inbreeding} decimals={3} />,
      numeric: true,
      narrow: true,
    },
    {
      id: 'coancestry',
      header: t('files.pedigree.meanCoancestry'),
      value: (row) => row.mean_coancestry,
      cell: (row) => <NumberCell value={row.mean_coancestry} decimals={3} />,
      numeric: true,
    },
  ];
  if (rows.length === 0) return <p className="hx-muted">{t('files.pedigree.noneInbred')}</p>;
  return (
    <>
      <h3>{t('files.pedigree.mostInbred')}</h3>
      <DataTable
        id="most-inbred"
        label={t('files.pedigree.mostInbred')}
        columns={columns}
        rows={rows}
        hasSearch={false}
        rowId={(row) => row.name}
      />
    </>
  );
}
