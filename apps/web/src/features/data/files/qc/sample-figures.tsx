import type { FileDetail } from '@heterosis/contracts/data/files';
import type { GenotypeQcBody } from '@heterosis/contracts/data/files-qc';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../../../components/page/figures.module.css';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { SelectionBar } from '../../../../components/table/selection-bar.tsx';
import type { PageSelection } from '../../../../components/table/use-selection.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { KeepAsList } from '../../lists/index.ts';
import { Duplicates } from './duplicates.tsx';
import { HistogramFigure } from './histogram-figure.tsx';

/** What figures of samples need: one selection is shared by all of the page. */
export interface OfSamples {
  file: FileDetail;
  qc: GenotypeQcBody;
  selection: PageSelection;
}

type SampleRow = GenotypeQcBody['samples_table'][number];

/** What a histogram of the samples needs to show the selection and to change it. */
function useLinked({ qc, selection }: OfSamples) {
  const rows = qc.samples_table;
  return useMemo(() => {
    const chosen = rows.filter((row) => selection.ids.has(row.name));
    return (valueOf: (row: SampleRow) => number | null | undefined) => ({
      selected: chosen.flatMap((row) => valueOf(row) ?? []),
      onBrush: (from: number, to: number) =>
        selection.select(
          rows.flatMap((row) => {
            const value = valueOf(row);
            return value !== null && value !== undefined && value >= from && value <= to ? [row.name] : [];
          }),
        ),
    });
  }, [rows, selection]);
}

export function SampleFigures(props: OfSamples) {
  const { file, qc, selection } = props;
  const { t } = useTranslation();
  const linked = useLinked(props);
  const columns: DataColumn<SampleRow>[] = [
    { id: 'name', header: t('word.individual'), value: (row) => row.name },
    ...(qc.ploidies
      ? [
          {
            id: 'ploidy',
            header: t('files.reading.ploidy'),
            value: (row: SampleRow) => row.ploidy ?? null,
            cell: (row: SampleRow) => <NumberCell value={row.ploidy ?? null} decimals={0} />,
            numeric: true,
            width: 110,
          },
        ]
      : []),
    {
      id: 'call_rate',
      header: t('files.qc.callRate'),
      unit: '%',
      value: (row) => 100 * row.call_rate,
      cell: (row) => <NumberCell value={100 * row.call_rate} decimals={1} />,
      numeric: true,
      width: 160,
      narrow: true,
    },
    {
      id: 'heterozygosity',
      header: t('files.qc.heterozygosity'),
      unit: '%',
      value: (row) => 100 * row.heterozygosity,
      cell: (row) => <NumberCell value={100 * row.heterozygosity} decimals={1} />,
      numeric: true,
      width: 160,
    },
    ...(qc.sample_inbreeding
      ? [
          {
            id: 'inbreeding',
            header: t('files.qc.inbreeding'),
            hint: t(qc.ploidy === undefined ? 'files.qc.inbreedingHint' : 'files.qc.inbreedingOfPolyploids'),
            value: (row: SampleRow) => row.inbreeding ?? null,
            cell: (row: SampleRow) => <NumberCell value={row.inbreeding ?? null} decimals={3} />,
            numeric: true,
            width: 160,
          },
        ]
      : []),
  ];
  const samples = t('files.qc.samples');
  return (
    <>
      <div className={classes.figures}>
        <HistogramFigure
          title={t('files.qc.sampleCallRate')}
          x={t('files.qc.callRate')}
          y={samples}
          histogram={qc.sample_call_rate}
          fileName={`${file.name} sample call rate`}
          {...linked((row) => row.call_rate)}
        />
        <HistogramFigure
          title={t('files.qc.sampleHeterozygosity')}
          x={t('files.qc.heterozygosity')}
          y={samples}
          histogram={qc.sample_heterozygosity}
          fileName={`${file.name} sample heterozygosity`}
          {...linked((row) => row.heterozygosity)}
        />
        {qc.sample_inbreeding && (
          <HistogramFigure
            title={t('files.qc.sampleInbreeding')}
            x={t('files.qc.inbreeding')}
            y={samples}
            histogram={qc.sample_inbreeding}
            fileName={`${file.name} sample F`}
            {...linked((row) => row.inbreeding)}
          />
        )}
      </div>
      {qc.samples_table.length < qc.samples && (
        <p className="hx-muted">
          {t('files.qc.firstSamples', {
            shown: formatCount(qc.samples_table.length),
            total: formatCount(qc.samples),
          })}
        </p>
      )}
      <SelectionBar selection={selection} noun="individual" fileName={file.name}>
        <KeepAsList projectId={file.project_id} kind="germplasm" names={selection.ids} />
      </SelectionBar>
      <DataTable
        id="qc-samples"
        selection={selection}
        searchLabel={t('files.qc.searchSamples')}
        label={samples}
        columns={columns}
        rows={qc.samples_table}
        rowId={(row) => row.name}
        defaultSort={{ column: 'call_rate', descending: false }}
        csvName={`${file.name} samples`}
        maxHeight="26rem"
      />
      {qc.duplicates.length > 0 && <Duplicates file={file} qc={qc} />}
      {qc.duplicate_search?.skipped && (
        <p className="hx-muted">
          {t(
            qc.duplicate_search.skipped === 'few-markers'
              ? 'files.qc.duplicatesFewMarkers'
              : 'files.qc.duplicatesManySamples',
          )}
        </p>
      )}
    </>
  );
}
