import type { GwasDetail } from '@heterosis/contracts/gwas';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FigureSkeleton } from '../../components/charts/figure-skeleton.tsx';
import type { GenomeView } from '../../components/charts/genome-axis.ts';
import { manhattanGenome } from '../../components/charts/manhattan.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { Headline } from '../../components/headline.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { SelectionBar } from '../../components/selection-bar.tsx';
import { useSelection } from '../../components/use-selection.ts';
import {
  formatCount,
  formatLargestP,
  formatMeanSd,
  formatPValue,
  formatStatistic,
  formatTick,
} from '../../lib/format.ts';
import { fileQuery } from '../files/index.ts';
import { KeepAsList } from '../lists/index.ts';
import { gwasMarkerQuery, gwasPlotQuery, namedMarkersQuery } from './gwas.api.ts';
import { GwasClumps } from './gwas-clumps.tsx';
import { GwasManhattan } from './gwas-manhattan.tsx';
import { GwasQq } from './gwas-qq.tsx';
import { GwasRegionFigure } from './gwas-region.tsx';
import { GwasResultTable, RESULT_TABLE_ID } from './gwas-result-table.tsx';
import { GwasStepwise } from './gwas-stepwise.tsx';
import { thresholdsOf } from './gwas-thresholds.ts';
import classes from './gwas-trait-result.module.css';
import { MarkerDetail } from './marker-detail.tsx';
import { formatView, parseView, partOf } from './view-in-address.ts';

const FIGURES_HEIGHT = 360;

/**
 * Result of one trait: Manhattan and QQ plot, the chosen marker, and the table. Plot and table show the same part of
 * the genome; that part and the chosen marker are in the address, so that they can be sent to somebody.
 */
export function GwasTraitResult({ projectId, gwas, trait }: { projectId: string; gwas: GwasDetail; trait: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { marker: markerId, zoom } = useSearch({ strict: false }) as { marker?: string; zoom?: string };
  const selection = useSelection();
  const [clump, setClump] = useState<string>();
  const { data: chosen = [] } = useQuery(namedMarkersQuery(projectId, gwas.id, trait, selection.ids));
  const selected = useMemo(() => chosen.filter(({ id }) => selection.ids.has(id)), [chosen, selection.ids]);
  const overview = useQuery(gwasPlotQuery(projectId, gwas.id, trait));
  const marker = useQuery({
    ...gwasMarkerQuery(projectId, gwas.id, trait, markerId ?? ''),
    enabled: markerId !== undefined,
  });
  const panel = useQuery({ ...fileQuery(projectId, gwas.genotype?.id ?? ''), enabled: gwas.genotype !== null });
  const chromosomes = gwas.chromosomes[trait] ?? [];
  const points = overview.data;
  const genome = useMemo(() => points && manhattanGenome(points, chromosomes), [points, chromosomes]);
  const view = useMemo(() => genome && parseView(genome, zoom), [genome, zoom]);
  const part = useMemo(() => (genome && view ? partOf(genome, view) : undefined), [genome, view]);
  const summary = gwas.summary[trait];

  // Each step is an entry of the history: Back closes the marker and leads back to the part that was shown before.
  const go = (change: { marker?: string | undefined; zoom?: string | undefined }): void =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, trait, ...change }), resetScroll: false });
  const chooseMarker = (id: string | undefined): void => go({ marker: id });
  const setView = (next: GenomeView | undefined): void => {
    const text = genome && formatView(genome, next);
    if (text !== zoom) go({ zoom: text });
  };
  const showClump = (id: string): void => {
    setClump(id);
    document.getElementById(RESULT_TABLE_ID)?.scrollIntoView({ block: 'start' });
  };
  if (!summary) return <SkeletonLines lines={14} />;

  const thresholds = thresholdsOf(summary);
  const shared = { projectId, gwas, trait, height: FIGURES_HEIGHT };
  return (
    <>
      <GwasHeadline trait={trait} summary={summary} />
      <FactsStrip
        facts={[
          { label: t('models.individuals'), value: formatCount(summary.n) },
          {
            label: t('gwas.markersTested'),
            value: t('gwas.markersOf', {
              tested: formatCount(summary.m),
              total: formatCount(panel.data?.column_count),
            }),
            hint: t('gwas.markersHint', {
              n: formatCount(summary.n),
              maf: formatTick(gwas.thresh_maf),
              callRate: formatTick(gwas.thresh_callrate),
            }),
          },
          { label: t('gwas.lambda'), value: summary.lambda.toFixed(3) },
          { label: t('gwas.h2Null'), value: withError(summary.h2, summary.h2_se), hint: t('gwas.h2Hint') },
          ...(summary.kinship_pve === undefined
            ? []
            : [
                {
                  label: t('gwas.kinshipPve'),
                  value: withError(summary.kinship_pve, summary.kinship_pve_se),
                  hint: t('gwas.kinshipPveHint'),
                },
              ]),
          ...(summary.at_bound === undefined || gwas.test === 'SCORE'
            ? []
            : [{ label: t('gwas.markersAtBound'), value: formatCount(summary.at_bound), hint: t('gwas.atBoundHint') }]),
          { label: t('gwas.hitsBonferroni'), value: formatCount(summary.hits) },
          { label: t('gwas.bonferroni'), value: formatLargestP(thresholds.bonferroni) },
          ...(thresholds.permutations === undefined
            ? []
            : [
                {
                  label: t('gwas.permutationsShort'),
                  value: t('gwas.fdrMarkers', {
                    count: thresholds.permutations.hits,
                    p: formatLargestP(thresholds.permutations.p),
                  }),
                  hint: t('gwas.permutationsFactHint', { count: thresholds.permutations.count }),
                },
              ]),
          { label: t('gwas.suggestive'), value: formatLargestP(thresholds.suggestive) },
          {
            label: t('gwas.fdr'),
            value:
              thresholds.fdr === undefined
                ? t('gwas.noneBelow')
                : thresholds.fdrHits === undefined
                  ? formatLargestP(thresholds.fdr)
                  : t('gwas.fdrMarkers', { count: thresholds.fdrHits, p: formatLargestP(thresholds.fdr) }),
            hint: t('gwas.fdrHint'),
          },
          {
            label: t('gwas.effectiveTests'),
            value: formatCount(summary.effective_tests),
            hint:
              summary.effective_tests_block == null
                ? t('gwas.effectiveTestsHint')
                : t('gwas.effectiveTestsBlocks', { markers: formatCount(summary.effective_tests_block) }),
          },
        ]}
      />
      <div className={classes.figures}>
        {overview.error ? (
          <ErrorNotice error={overview.error} onRetry={() => void overview.refetch()} />
        ) : points && genome ? (
          <GwasManhattan
            {...shared}
            overview={points}
            genome={genome}
            view={view}
            part={part}
            onView={setView}
            marker={markerId === undefined ? undefined : marker.data?.row}
            onMarker={chooseMarker}
            selected={selected}
            onSelect={selection.select}
          />
        ) : (
          <FigureSkeleton height={FIGURES_HEIGHT} hasTools />
        )}
        <GwasQq {...shared} selected={selected} onSelect={selection.select} />
      </div>
      {part && !('to_chr' in part) && (
        <GwasRegionFigure
          {...shared}
          region={part}
          markerId={markerId}
          onMarker={chooseMarker}
          selected={selection.ids}
          onSelect={selection.select}
        />
      )}
      {summary.stepwise && <GwasStepwise trait={trait} search={summary.stepwise} onMarker={chooseMarker} />}
      {summary.clumps !== undefined && <GwasClumps {...shared} onMarker={chooseMarker} onClump={showClump} />}
      <SelectionBar selection={selection} noun="marker" fileName={`${gwas.name} ${trait}`}>
        <KeepAsList projectId={projectId} kind="markers" names={selection.ids} />
      </SelectionBar>
      {markerId !== undefined && (
        <MarkerDetail
          key={markerId}
          {...shared}
          markerId={markerId}
          onMarker={chooseMarker}
          onZoom={(row) => genome && setView(neighbourhoodOf(row, genome, chromosomes))}
        />
      )}
      <GwasResultTable
        {...shared}
        genome={genome}
        part={part}
        thresholds={thresholds}
        onView={setView}
        markerId={markerId}
        onMarker={chooseMarker}
        selection={selection}
        clump={clump}
        onClump={setClump}
      />
    </>
  );
}

/** From here on λ means that the p-values are too small all over the genome. */
const INFLATED = 1.1;

/** What was found, in a sentence. */
function GwasHeadline({ trait, summary }: { trait: string; summary: NonNullable<GwasDetail['summary'][string]> }) {
  const { t } = useTranslation();
  const { top, hits, lambda } = summary;
  return (
    <Headline>
      {hits > 0 && top
        ? t('gwas.headline', { count: hits, trait, marker: top.id, chr: top.chr, p: formatPValue(top.p) })
        : t('gwas.headlineNone', { trait, marker: top?.id ?? '–', p: formatPValue(top?.p) })}{' '}
      {t(lambda > INFLATED ? 'gwas.headlineInflated' : 'gwas.headlineLambda', { lambda: lambda.toFixed(2) })}
    </Headline>
  );
}

const withError = (value: number, error: number | null | undefined): string =>
  error == null ? formatStatistic(value) : formatMeanSd({ mean: value, sd: error });

const NEIGHBOURHOOD_BP = 2_000_000;

function neighbourhoodOf(
  row: { chr: string; pos: number },
  genome: NonNullable<ReturnType<typeof manhattanGenome>>,
  chromosomes: readonly string[],
): GenomeView | undefined {
  const chromosome = chromosomes.indexOf(row.chr);
  if (chromosome < 0) return undefined;
  const x = (genome.offsets[chromosome] ?? 0) + row.pos;
  const start = Math.max(genome.offsets[chromosome] ?? 0, x - NEIGHBOURHOOD_BP);
  return { start, end: x + NEIGHBOURHOOD_BP, chromosome };
}
