import type { FileDetail } from '@heterosis/contracts/files';
import type { GenotypeQcBody, Histogram } from '@heterosis/contracts/files-qc';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../../components/charts/chart-colors.ts';
import { densityOption } from '../../../components/charts/density.ts';
import { Figure } from '../../../components/charts/figure.tsx';
import { describeCell, heatmapOption, square } from '../../../components/charts/heatmap.ts';
import { countsIn, histogramOption, histogramRows } from '../../../components/charts/histogram.ts';
import { scatterOption } from '../../../components/charts/scatter.ts';
import { type DataColumn, DataTable } from '../../../components/data-table.tsx';
import { FactsStrip } from '../../../components/facts-strip.tsx';
import classes from '../../../components/figures.module.css';
import { NumberCell } from '../../../components/number-cell.tsx';
import { Section } from '../../../components/section.tsx';
import { SelectionBar } from '../../../components/selection-bar.tsx';
import { TabStrip } from '../../../components/tab-strip.tsx';
import { type PageSelection, useSelection } from '../../../components/use-selection.ts';
import { useTabInAddress } from '../../../components/use-tab-in-address.ts';
import { formatCount, formatShare, formatStatistic } from '../../../lib/format.ts';
import { KeepAsList } from '../../lists/index.ts';
import { LdDecayFigure } from './ld-decay-figure.tsx';

const SMALL = 220;
const MIDDLE = 280;
const LARGE = 440;
const NAMES_UP_TO = 40;

export function GenotypeQcView({ file, qc }: { file: FileDetail; qc: GenotypeQcBody }) {
  const { t } = useTranslation();
  const tab = useTabInAddress();
  const selection = useSelection();
  return (
    <>
      <FactsStrip
        facts={[
          { label: t('files.qc.samples'), value: formatCount(qc.samples) },
          { label: t('files.qc.markers'), value: formatCount(qc.markers) },
          { label: t('files.qc.missing'), value: formatShare(qc.missing_share) },
          ...(qc.heterozygous_share === undefined
            ? []
            : [
                {
                  label: t('files.qc.heterozygousCalls'),
                  value: formatShare(qc.heterozygous_share),
                  hint: t('files.qc.heterozygousCallsHint', {
                    mean: formatShare(qc.mean_individual_heterozygosity ?? 0),
                  }),
                },
              ]),
          ...(qc.mean_inbreeding == null
            ? []
            : [
                {
                  label: t('files.qc.meanInbreeding'),
                  value: formatStatistic(qc.mean_inbreeding),
                  hint: t('files.qc.inbreedingHint'),
                },
              ]),
          { label: t('files.qc.afterQc'), value: formatCount(qc.markers_after_default_qc) },
          ...(file.fractional_dosages === null
            ? []
            : [
                {
                  label: t('files.qc.fractional'),
                  value: formatCount(file.fractional_dosages.calls),
                  hint: t('files.qc.fractionalHint', { markers: formatCount(file.fractional_dosages.markers) }),
                },
              ]),
          { label: t('files.qc.phased'), value: qc.phased ? t('files.qc.yes') : t('files.qc.no') },
          { label: t('files.qc.counted'), value: qc.counted_allele },
        ]}
      />
      {qc.hwe === undefined && <p className="hx-muted">{t('files.qc.olderCheck')}</p>}
      <TabStrip
        {...tab}
        label={t('files.qc.title')}
        tabs={[
          { id: 'markers', label: t('files.qc.markers'), content: <MarkerFigures file={file} qc={qc} /> },
          {
            id: 'samples',
            label: t('files.qc.samples'),
            content: <SampleFigures file={file} qc={qc} selection={selection} />,
          },
          {
            id: 'structure',
            label: t('files.qc.structure'),
            content: <StructureFigures file={file} qc={qc} selection={selection} />,
          },
        ]}
      />
    </>
  );
}

function HistogramFigure(props: {
  title: string;
  caption?: ReactNode;
  height?: number;
  x: string;
  y: string;
  histogram: Histogram;
  fileName: string;
  /** The values of those that are selected on the page. */
  selected?: readonly number[];
  onBrush?: (from: number, to: number) => void;
}) {
  const colors = useChartColors();
  const { histogram, x, y, selected } = props;
  const option = useMemo(
    () =>
      histogramOption(
        histogram,
        { x, y, format: formatStatistic },
        colors,
        selected && countsIn(histogram, histogram.counts.length, selected),
      ),
    [histogram, x, y, colors, selected],
  );
  return (
    <Figure
      title={props.title}
      caption={props.caption}
      label={props.title}
      option={option}
      height={props.height ?? SMALL}
      {...(props.onBrush ? { onBrush: props.onBrush } : {})}
      fileName={props.fileName}
      table={{ head: [`${x} ≥`, `${x} <`, y], rows: histogramRows(histogram), format: formatStatistic }}
    />
  );
}

function HardyWeinbergCaption({ hwe }: { hwe: NonNullable<GenotypeQcBody['hwe']> }) {
  const { t } = useTranslation();
  const counts = t('files.qc.hweCaption', {
    below: formatCount(hwe.below_1e_6),
    tested: formatCount(hwe.tested),
    fewer: formatCount(hwe.fewer_heterozygotes),
    more: formatCount(hwe.more_heterozygotes),
  });
  return hwe.is_inbred_panel ? `${counts} ${t('files.qc.hweInbred')}` : counts;
}

function MarkerFigures({ file, qc }: { file: FileDetail; qc: GenotypeQcBody }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const density = useMemo(
    () =>
      densityOption(
        qc.contigs.map((contig) => ({ name: contig.name, lengthBp: contig.length_bp, counts: contig.density })),
        { x: t('files.qc.positionMb') },
        colors,
      ),
    [qc, colors, t],
  );
  const markers = t('files.qc.markers');
  return (
    <>
      <div className={classes.figures}>
        <HistogramFigure
          title={t('files.qc.markerCallRate')}
          x={t('files.qc.callRate')}
          y={markers}
          histogram={qc.marker_call_rate}
          fileName={`${file.name} marker call rate`}
        />
        <HistogramFigure
          title={t('files.qc.maf')}
          x="MAF"
          y={markers}
          histogram={qc.marker_maf}
          fileName={`${file.name} MAF`}
        />
        <HistogramFigure
          title={t('files.qc.markerHeterozygosity')}
          x={t('files.qc.heterozygosity')}
          y={markers}
          histogram={qc.marker_heterozygosity}
          fileName={`${file.name} marker heterozygosity`}
        />
      </div>
      <div className={classes.figures}>
        {qc.hwe && (
          <HistogramFigure
            title={t('files.qc.hwe')}
            height={MIDDLE}
            caption={<HardyWeinbergCaption hwe={qc.hwe} />}
            x="−log₁₀ p"
            y={markers}
            histogram={qc.hwe.neg_log10_p}
            fileName={`${file.name} HWE`}
          />
        )}
        {qc.ld_decay && <LdDecayFigure file={file} decay={qc.ld_decay} height={MIDDLE} />}
      </div>
      <Figure
        title={t('files.qc.density')}
        caption={t('files.qc.densityCaption')}
        label={t('files.qc.density')}
        option={density}
        height={Math.max(160, 60 + qc.contigs.length * 18)}
        renderer="canvas"
        fileName={`${file.name} marker density`}
        table={{
          head: [t('marker.chromosome'), markers, t('files.qc.lengthBp')],
          rows: qc.contigs.map((contig) => [contig.name, contig.markers, contig.length_bp]),
          format: formatCount,
        }}
      />
    </>
  );
}

type SampleRow = GenotypeQcBody['samples_table'][number];

interface OfSamples {
  file: FileDetail;
  qc: GenotypeQcBody;
  selection: PageSelection;
}

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

function SampleFigures(props: OfSamples) {
  const { file, qc, selection } = props;
  const { t } = useTranslation();
  const linked = useLinked(props);
  const columns: DataColumn<SampleRow>[] = [
    { id: 'name', header: t('models.individual'), value: (row) => row.name },
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
            hint: t('files.qc.inbreedingHint'),
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

type DuplicateRow = GenotypeQcBody['duplicates'][number];

function Duplicates({ file, qc }: { file: FileDetail; qc: GenotypeQcBody }) {
  const { t } = useTranslation();
  const columns: DataColumn<DuplicateRow>[] = [
    { id: 'first', header: t('files.qc.first'), value: (row) => row.first },
    { id: 'second', header: t('files.qc.second'), value: (row) => row.second, narrow: true },
    {
      id: 'identity',
      header: t('files.qc.identity'),
      unit: '%',
      value: (row) => 100 * row.identity,
      cell: (row) => <NumberCell value={100 * row.identity} decimals={1} />,
      numeric: true,
      width: 140,
    },
  ];
  const { duplicate_search: search } = qc;
  const notes = [
    search === undefined
      ? t('files.qc.duplicatesNote')
      : t('files.qc.duplicatesNoteOf', { markers: formatCount(search.markers) }),
    ...(search !== undefined && search.pairs > qc.duplicates.length
      ? [t('files.qc.duplicatesMore', { shown: formatCount(qc.duplicates.length), total: formatCount(search.pairs) })]
      : []),
    ...(search !== undefined && search.unverified > 0
      ? [t('files.qc.duplicatesUnverified', { pairs: formatCount(search.unverified) })]
      : []),
  ];
  return (
    <Section
      title={t('files.qc.duplicates')}
      note={notes.join(' ')}
      action={
        <KeepAsList
          projectId={file.project_id}
          kind="germplasm"
          names={new Set(qc.duplicates.map(({ second }) => second))}
          label={t('files.qc.keepDuplicates')}
        />
      }
    >
      <DataTable
        id="qc-duplicates"
        label={t('files.qc.duplicates')}
        columns={columns}
        rows={qc.duplicates}
        rowId={(row) => `${row.first} ${row.second}`}
        maxHeight="20rem"
      />
    </Section>
  );
}

function StructureFigures({ file, qc, selection }: OfSamples) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { pca, kinship } = qc;
  const markersUsed =
    pca?.markers === undefined
      ? []
      : [
          t(pca.is_approximate === true ? 'files.qc.someMarkers' : 'files.qc.allMarkers', {
            used: formatCount(pca.markers),
            of: formatCount(pca.of_markers),
          }),
        ];
  const pcaOption = useMemo(
    () =>
      pca &&
      scatterOption(
        pca.points.map((point) => ({ x: point.pc[0] ?? 0, y: point.pc[1] ?? 0, name: point.name })),
        {
          x: `PC 1 (${formatShare(pca.shares[0])})`,
          y: `PC 2 (${formatShare(pca.shares[1])})`,
          format: formatStatistic,
          selected: selection.ids,
        },
        colors,
      ),
    [pca, colors, selection.ids],
  );
  const kinshipMap = useMemo(() => (kinship ? square(kinship.names, kinship.values) : undefined), [kinship]);
  const describeKinship = useCallback(
    (column: number, row: number) => kinshipMap && describeCell(kinshipMap, column, row, formatStatistic),
    [kinshipMap],
  );
  const kinshipOption = useMemo(() => {
    if (!kinship || !kinshipMap) return undefined;
    const sorted = [...kinship.values].sort((a, b) => a - b);
    const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return heatmapOption(
      kinshipMap,
      {
        min: quantile(0.01),
        max: quantile(0.99),
        format: formatStatistic,
        showNames: kinship.names.length <= NAMES_UP_TO,
        selected: selection.ids,
      },
      colors,
    );
  }, [kinship, kinshipMap, colors, selection.ids]);
  return (
    <>
      <SelectionBar selection={selection} noun="individual" fileName={file.name}>
        <KeepAsList projectId={file.project_id} kind="germplasm" names={selection.ids} />
      </SelectionBar>
      <div className={classes.figures}>
        {pca && pcaOption && (
          <Figure
            title={t('files.qc.pca')}
            caption={[t('files.qc.pcaCaption'), ...markersUsed].join(' ')}
            label={t('files.qc.pca')}
            option={pcaOption}
            height={LARGE}
            onBrush={(from, to) =>
              selection.select(
                pca.points.flatMap(({ name, pc: [first = Number.NaN] }) =>
                  first >= from && first <= to ? [name] : [],
                ),
              )
            }
            fileName={`${file.name} PCA`}
            table={{
              head: [t('models.individual'), ...pca.shares.map((_, index) => `PC ${index + 1}`)],
              rows: pca.points.map((point) => [point.name, ...point.pc]),
              format: formatStatistic,
            }}
          />
        )}
        {!pca && <p className="hx-muted">{t('files.qc.noPca')}</p>}
        {kinship && kinshipOption ? (
          <Figure
            title={t('files.qc.kinship')}
            caption={[t('files.qc.kinshipCaption'), ...markersUsed].join(' ')}
            label={t('files.qc.kinship')}
            option={kinshipOption}
            height={LARGE}
            isSquare
            describeAt={describeKinship}
            onBrush={(from, to) =>
              selection.select(kinship.names.filter((_, index) => index >= Math.round(from) && index <= Math.round(to)))
            }
            renderer="canvas"
            fileName={`${file.name} kinship`}
            table={{
              head: [t('models.individual'), ...kinship.names],
              rows: kinship.names.map((name, row) => [
                name,
                ...kinship.values.slice(row * kinship.names.length, (row + 1) * kinship.names.length),
              ]),
              format: formatStatistic,
            }}
          />
        ) : (
          <p className="hx-muted">{t('files.qc.tooManyForKinship')}</p>
        )}
      </div>
    </>
  );
}
