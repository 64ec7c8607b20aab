import type { GwasDetail, GwasRow } from '@heterosis/contracts/gwas';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ECharts } from 'echarts/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../components/charts/chart-colors.ts';
import { escapeHtml } from '../../components/charts/chart-option.ts';
import { Figure } from '../../components/charts/figure.tsx';
import { locate } from '../../components/charts/genome-axis.ts';
import { manhattanGenome, manhattanOption } from '../../components/charts/manhattan.ts';
import { qqOption } from '../../components/charts/qq.ts';
import { type DataColumn, DataTable, type Sort } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { NumberCell } from '../../components/number-cell.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount, formatMb, formatPValue, formatStatistic } from '../../lib/format.ts';
import { itemsOf } from '../../lib/pages.ts';
import { gwasPlotQuery, gwasQqQuery, gwasResultsQuery, type Region } from './gwas.api.ts';
import classes from './gwas-trait-result.module.css';
import { MarkerDetail } from './marker-detail.tsx';

const MANHATTAN_HEIGHT = 340;
/** A click this near to a marker means it. */
const CLICK_WINDOW_BP = 50_000;

/** Result of one trait: Manhattan and QQ plot, the table linked both ways, and the marker that was clicked. */
export function GwasTraitResult({ projectId, gwas, trait }: { projectId: string; gwas: GwasDetail; trait: string }) {
  const { t } = useTranslation();
  const [marker, setMarker] = useState<GwasRow>();
  const [region, setRegion] = useState<Region>();
  const summary = gwas.summary[trait];
  return (
    <>
      {summary && (
        <FactsStrip
          facts={[
            { label: t('models.individuals'), value: formatCount(summary.n) },
            { label: t('models.markers'), value: formatCount(summary.m) },
            { label: 'λ', value: summary.lambda.toFixed(3) },
            { label: t('gwas.h2Null'), value: formatStatistic(summary.h2) },
            { label: t('gwas.hits'), value: formatCount(summary.hits) },
            { label: t('gwas.bonferroni'), value: formatPValue(summary.bonferroni) },
            { label: t('gwas.fdr'), value: summary.fdr === null ? t('gwas.noneBelow') : formatPValue(summary.fdr) },
            { label: t('gwas.effectiveTests'), value: formatCount(summary.effective_tests) },
          ]}
        />
      )}
      <Manhattan projectId={projectId} gwas={gwas} trait={trait} marker={marker} onRegion={setRegion} />
      {marker && (
        <MarkerDetail
          projectId={projectId}
          gwas={gwas}
          trait={trait}
          marker={marker}
          onClose={() => setMarker(undefined)}
        />
      )}
      <Section title={t('gwas.results')} note={t('gwas.resultsNote')}>
        {region && (
          <div className={classes.region}>
            {t('gwas.region', { chr: region.chr, start: formatMb(region.start), end: formatMb(region.end) })}
            <Button size="compact-xs" variant="subtle" onClick={() => setRegion(undefined)}>
              {t('gwas.wholeGenome')}
            </Button>
          </div>
        )}
        <ResultTable
          projectId={projectId}
          gwas={gwas}
          trait={trait}
          region={region}
          marker={marker}
          onMarker={setMarker}
        />
      </Section>
      <Qq projectId={projectId} gwas={gwas} trait={trait} />
    </>
  );
}

function Manhattan(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  marker: GwasRow | undefined;
  onRegion: (region: Region) => void;
}) {
  const { projectId, gwas, trait, marker, onRegion } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const chart = useRef<ECharts>(undefined);
  const plot = useQuery(gwasPlotQuery(projectId, gwas.id, trait));
  const chromosomes = gwas.chromosomes[trait] ?? [];
  const points = plot.data;
  const genome = useMemo(() => (points ? manhattanGenome(points, chromosomes) : undefined), [points, chromosomes]);
  const summary = gwas.summary[trait];
  const option = useMemo(() => {
    if (!points || !genome) return {};
    const chromosome = marker ? chromosomes.indexOf(marker.chr) : -1;
    return manhattanOption(
      points,
      genome,
      {
        thresholds: summary
          ? [
              { label: t('gwas.bonferroniShort'), negLog10P: -Math.log10(summary.bonferroni) },
              ...(summary.fdr === null ? [] : [{ label: t('gwas.fdrShort'), negLog10P: -Math.log10(summary.fdr) }]),
            ]
          : [],
        ...(marker && chromosome >= 0
          ? { selected: [(genome.offsets[chromosome] ?? 0) + marker.pos, marker.neg_log10_p] as [number, number] }
          : {}),
        labels: { x: t('marker.chromosome'), y: '−log₁₀ p' },
        describe: (x, negLog10P) => {
          const place = locate(genome, x);
          return `${escapeHtml(chromosomes[place.chromosome] ?? '')}: ${formatMb(place.positionBp)} Mb<br>p ${formatPValue(10 ** -negLog10P)}`;
        },
      },
      colors,
    );
  }, [points, genome, summary, marker, chromosomes, colors, t]);
  if (plot.error) return <ErrorNotice error={plot.error} onRetry={() => void plot.refetch()} />;
  if (!points || !genome) return <SkeletonLines lines={8} />;
  return (
    <Figure
      title={t('gwas.manhattanTitle', { trait })}
      caption={t('gwas.manhattanCaption')}
      label={t('gwas.manhattanLabel', { trait, hits: summary?.hits ?? 0 })}
      option={option}
      height={MANHATTAN_HEIGHT}
      renderer="canvas"
      fileName={`${gwas.name} ${trait} Manhattan`}
      onReady={(one) => {
        chart.current = one;
      }}
      onPoint={(value) => {
        const place = locate(genome, value[0] ?? 0);
        onRegion({
          chr: chromosomes[place.chromosome] ?? '',
          start: Math.max(0, Math.round(place.positionBp) - CLICK_WINDOW_BP),
          end: Math.round(place.positionBp) + CLICK_WINDOW_BP,
        });
      }}
      action={
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => chart.current?.dispatchAction({ type: 'dataZoom', start: 0, end: 100 })}
        >
          {t('gwas.resetZoom')}
        </Button>
      }
      table={{
        head: [t('marker.chr'), t('marker.pos'), '−log10 p'],
        rows: Array.from({ length: Math.floor(points.length / 3) }, (_, index): [string, number, number] => [
          chromosomes[points[index * 3] ?? 0] ?? '',
          points[index * 3 + 1] ?? 0,
          points[index * 3 + 2] ?? 0,
        ]).sort((a, b) => b[2] - a[2]),
        format: formatStatistic,
      }}
    />
  );
}

function ResultTable(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  region: Region | undefined;
  marker: GwasRow | undefined;
  onMarker: (row: GwasRow) => void;
}) {
  const { projectId, gwas, trait, region, marker, onMarker } = props;
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>({ column: 'p', descending: false });
  const query = useInfiniteQuery(
    gwasResultsQuery(projectId, gwas.id, { trait, search, region, sort: sort.column === 'pos' ? 'position' : 'p' }),
  );
  const number = (
    id: keyof GwasRow & ('score' | 'LRT' | 'beta' | 'sd' | 'h2' | 'freqA2'),
    header: string,
  ): DataColumn<GwasRow> => ({
    id,
    header,
    value: (row) => row[id],
    cell: (row) => <NumberCell value={row[id]} />,
    numeric: true,
    width: 96,
    sortable: false,
  });
  const statistic =
    gwas.test === 'LRT' ? [number('LRT', 'LRT')] : gwas.test === 'SCORE' ? [number('score', t('gwas.score'))] : [];
  const columns: DataColumn<GwasRow>[] = [
    { id: 'id', header: t('marker.id'), value: (row) => row.id, sortable: false },
    { id: 'chr', header: t('marker.chr'), value: (row) => row.chr, width: 70, sortable: false },
    {
      id: 'pos',
      header: t('marker.pos'),
      unit: 'Mb',
      value: (row) => row.pos,
      cell: (row) => <NumberCell value={row.pos} kind="position" />,
      numeric: true,
      width: 130,
    },
    { id: 'A1', header: 'A1', value: (row) => row.A1, width: 56, sortable: false },
    { id: 'A2', header: 'A2', value: (row) => row.A2, width: 56, sortable: false },
    number('freqA2', 'freqA2'),
    ...(gwas.test === 'WALD' ? [number('beta', 'β'), number('sd', 'SE')] : []),
    ...statistic,
    ...(gwas.test === 'SCORE' ? [] : [{ ...number('h2', 'h²'), hidden: true }]),
    {
      id: 'p',
      header: 'p',
      value: (row) => row.p,
      cell: (row) => <NumberCell value={row.p} kind="p-value" />,
      numeric: true,
      width: 120,
      narrow: true,
    },
    {
      id: 'q',
      header: t('gwas.q'),
      value: (row) => row.q,
      cell: (row) => <NumberCell value={row.q} kind="p-value" />,
      numeric: true,
      width: 120,
      sortable: false,
    },
  ];
  return (
    <DataTable
      id={`gwas-results-${gwas.test}`}
      label={t('gwas.results')}
      columns={columns}
      rows={query.data ? itemsOf(query.data) : undefined}
      rowId={(row) => row.id}
      isLoading={query.isPending}
      error={query.error}
      onRetry={() => void query.refetch()}
      onOpen={onMarker}
      isMarked={(row) => row.id === marker?.id}
      remote={{ search, onSearch: setSearch, sort, onSort: (next) => setSort({ ...next, descending: false }) }}
      more={{ hasMore: query.hasNextPage, isLoading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }}
      total={search || region ? undefined : gwas.summary[trait]?.m}
      csvUrl={gwas.result_urls[trait] ?? undefined}
      maxHeight="28rem"
    />
  );
}

function Qq({ projectId, gwas, trait }: { projectId: string; gwas: GwasDetail; trait: string }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { data } = useQuery(gwasQqQuery(projectId, gwas.id, trait));
  const option = useMemo(
    () =>
      data
        ? qqOption(
            data.points,
            data.m,
            { x: t('gwas.expected'), y: t('gwas.observed'), band: '95 %' },
            formatStatistic,
            colors,
          )
        : {},
    [data, colors, t],
  );
  if (!data) return null;
  return (
    <div className={classes.qq}>
      <Figure
        title={t('gwas.qqTitle', { lambda: data.lambda.toFixed(3) })}
        caption={t('gwas.qqCaption')}
        label={t('gwas.qqTitle', { lambda: data.lambda.toFixed(3) })}
        option={option}
        height={340}
        fileName={`${gwas.name} ${trait} QQ`}
        table={{ head: [t('gwas.expected'), t('gwas.observed')], rows: data.points, format: formatStatistic }}
      />
    </div>
  );
}
