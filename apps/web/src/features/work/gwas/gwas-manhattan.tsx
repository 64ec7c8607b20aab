import { escapeHtml } from '@heterosis/charts/chart-option';
import {
  type GenomeAxis,
  type GenomeView,
  locate,
  PLOT_FIELDS,
  shift,
  viewOf,
  wholeChromosome,
  zoom,
} from '@heterosis/charts/genome/genome-axis';
import { thresholdsOf } from '@heterosis/charts/genome/gwas-thresholds';
import {
  type ManhattanThreshold,
  manhattanOption,
  nearestPoint,
  sideAwayFrom,
} from '@heterosis/charts/genome/manhattan';
import type { PlotPlace } from '@heterosis/charts/plot-place';
import { type ChartRing, ringsOf } from '@heterosis/charts/rings';
import type { GwasDetail, GwasRow } from '@heterosis/contracts/work/gwas';
import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconChevronLeft, IconChevronRight, IconLasso, IconZoomIn, IconZoomOut } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { downloadText } from '../../../lib/browser/download.ts';
import { formatMb, formatStatistic } from '../../../lib/format/format.ts';
import {
  findMarkerAt,
  gwasPlotQuery,
  markersToSelect,
  PLOT_SHOWS_ALL_UP_TO,
  readMarkers,
  readStrongest,
} from './gwas.api.ts';
import { pictureNoteOf } from './picture-note.ts';
import { describeMarker, describePoint, MARKER_HEAD, markerRows, markersCsv } from './region/describe-marker.ts';
import { type ChromosomeRange, partOf, type Region } from './view-in-address.ts';

/** As many markers the table of the figure shows; its CSV has them all. */
const FIGURE_ROWS = 200;

/** The Manhattan plot: chosen by dragging, by chromosome or by the buttons; a click on a point opens its marker. */
export function GwasManhattan(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  height: number;
  /** Points of the whole genome, thinned where markers are many. */
  overview: Float32Array;
  genome: GenomeAxis;
  view: GenomeView | undefined;
  /** What the view shows, by name. */
  part: Region | ChromosomeRange | undefined;
  onView: (view: GenomeView | undefined) => void;
  marker: GwasRow | undefined;
  onMarker: (id: string) => void;
  /** Markers that are selected on the page. */
  selected: readonly GwasRow[];
  onSelect: (ids: readonly string[]) => void;
}) {
  const { projectId, gwas, trait, height, overview, genome, view, part, onView, marker, onMarker } = props;
  const region = part && !('to_chr' in part) ? part : undefined;
  const { t } = useTranslation();
  const colors = useChartColors();
  const summary = gwas.summary[trait];
  const isThinned = (summary?.m ?? 0) > PLOT_SHOWS_ALL_UP_TO;
  const exact = useQuery({
    ...gwasPlotQuery(projectId, gwas.id, trait, region),
    enabled: isThinned && region !== undefined,
    placeholderData: keepPreviousData,
  });
  const points = (isThinned && region !== undefined && exact.data) || overview;
  const { pick, searching, failure } = useMarkerPick({ projectId, gwasId: gwas.id, trait, points, genome, onMarker });

  const describe = useDescription({ projectId, gwasId: gwas.id, trait, genome });
  const [dragSelects, setDragSelects] = useState(false);

  const chosen = marker && ringOf(marker, genome);
  const top = useMemo(() => topRing(summary, overview, genome), [summary, overview, genome]);
  const focused = chosen ? [chosen] : searching ? [searching] : top && props.selected.length === 0 ? [top] : [];
  const rings = [
    ...focused,
    ...ringsOf(
      props.selected.filter(({ id }) => id !== focused[0]?.name),
      (row) => ringOf(row, genome),
    ),
  ];
  // The strongest marker and its name often stand on the line of the false discovery rate.
  const fdrSide = sideAwayFrom(top?.x, genome, view);
  const option = useMemo(
    () =>
      manhattanOption(
        points,
        genome,
        {
          thresholds: summary == null ? [] : manhattanThresholds(summary, fdrSide, t),
          view,
          labels: {
            x: region ? t('gwas.positionMb', { chr: region.chr }) : t('word.chromosome'),
            y: '−log₁₀ p',
          },
          describe,
        },
        colors,
      ),
    [points, genome, summary, fdrSide, view, region?.chr, colors, describe, t],
  );
  const markers = useShownMarkers({ projectId, gwas, trait, part });
  const select = (from: number, to: number): void => {
    const range = viewOf(genome, from, to);
    void markers.select(range && partOf(genome, range), props.onSelect);
  };

  return (
    <div>
      <Figure
        title={t('gwas.manhattanTitle', { trait })}
        caption={t('gwas.manhattanCaption')}
        label={t('gwas.manhattanLabel', { trait, hits: summary?.hits ?? 0, top: summary?.top?.id ?? '–' })}
        option={option}
        rings={rings}
        height={height}
        renderer="canvas"
        fileName={`${gwas.name} ${trait} Manhattan`}
        pictureNote={pictureNoteOf(gwas, trait)}
        onBrush={(from, to) => (dragSelects ? select(from, to) : onView(viewOf(genome, from, to)))}
        onPick={pick}
        {...(part || gwas.result_urls[trait] ? { saveCsv: () => void markers.save() } : {})}
        tools={
          <ManhattanTools
            genome={genome}
            view={view}
            onView={onView}
            dragSelects={dragSelects}
            onDragSelects={setDragSelects}
            note={[
              region && `${formatMb(region.start)} – ${formatMb(region.end)} Mb`,
              isThinned &&
                (region && !exact.isPlaceholderData && exact.data ? t('gwas.exactPoints') : t('gwas.thinnedPoints')),
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        }
        loadTable={markers.loadTable}
      />
      {markers.failure !== undefined && <ErrorNotice error={markers.failure} />}
      {(exact.error ?? failure) !== undefined && (exact.error ?? failure) !== null && (
        <ErrorNotice error={exact.error ?? failure} {...(exact.error ? { onRetry: () => void exact.refetch() } : {})} />
      )}
    </div>
  );
}

function manhattanThresholds(
  summary: NonNullable<GwasDetail['summary'][string]>,
  fdrSide: NonNullable<ManhattanThreshold['side']>,
  t: TFunction,
): ManhattanThreshold[] {
  const { bonferroni, permutations, fdrLine, suggestive } = thresholdsOf(summary);
  const line = (label: string, p: number | undefined): ManhattanThreshold[] =>
    p === undefined ? [] : [{ label, negLog10P: -Math.log10(p) }];
  return [
    ...line(t('gwas.bonferroni'), bonferroni),
    ...line(t('gwas.permutationsShort'), permutations?.p),
    ...line(t('gwas.fdr'), fdrLine).map((one) => ({ ...one, side: fdrSide })),
    ...line(t('gwas.suggestive'), suggestive),
  ];
}

/** The markers of what the plot shows: as a table, as a file, and those of a part that is dragged over. */
function useShownMarkers(options: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  part: Region | ChromosomeRange | undefined;
}) {
  const { projectId, gwas, trait, part } = options;
  const total = gwas.summary[trait]?.m;
  const [failure, setFailure] = useState<unknown>();
  const loadTable = useCallback(
    async () => ({
      head: MARKER_HEAD,
      rows: markerRows(await readStrongest(projectId, gwas.id, trait, part, FIGURE_ROWS)),
      total: part ? undefined : total,
      format: formatStatistic,
    }),
    [projectId, gwas.id, trait, part, total],
  );
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
      setFailure(undefined);
    } catch (error) {
      setFailure(error);
    }
  };
  const select = (within: Region | ChromosomeRange | undefined, onSelect: (ids: readonly string[]) => void) =>
    attempt(async () => onSelect(await markersToSelect(projectId, gwas.id, { trait, part: within })));
  const save = () =>
    attempt(async () => {
      const name = `${gwas.name} ${trait} Manhattan.csv`;
      if (part) downloadText(name, markersCsv(await readMarkers(projectId, gwas.id, trait, part)));
      // All markers of the genome are a file already, however many they are.
      else window.location.assign(gwas.result_urls[trait] ?? '');
    });
  return { loadTable, select, save, failure };
}

/** A click on the plot: finds the marker of the nearest point and, until it is known, rings the point. */
function useMarkerPick(options: {
  projectId: string;
  gwasId: string;
  trait: string;
  points: Float32Array;
  genome: GenomeAxis;
  onMarker: (id: string) => void;
}) {
  const { projectId, gwasId, trait, points, genome, onMarker } = options;
  const client = useQueryClient();
  const [searching, setSearching] = useState<ChartRing>();
  const [failure, setFailure] = useState<unknown>();
  const find = async (place: PlotPlace): Promise<void> => {
    const at = nearestPoint(points, genome, place);
    if (at === undefined) return;
    const [chromosome = 0, positionBp = 0, negLog10P = 0] = points.subarray(at, at + PLOT_FIELDS);
    setFailure(undefined);
    setSearching({ x: (genome.offsets[chromosome] ?? 0) + positionBp, y: negLog10P, name: '…' });
    try {
      const chr = genome.names[chromosome] ?? '';
      const found = await findMarkerAt(client, projectId, gwasId, trait, { chr, positionBp, negLog10P });
      if (found) onMarker(found.id);
    } catch (error) {
      setFailure(error);
    } finally {
      setSearching(undefined);
    }
  };
  return { pick: (place: PlotPlace): void => void find(place), searching, failure };
}

/** The pointer rests this long on a point before its marker is asked for. */
const REST_MS = 120;

/** The tooltip of a point: place and p at once, and its marker as soon as it is known. */
function useDescription(options: { projectId: string; gwasId: string; trait: string; genome: GenomeAxis }) {
  const { projectId, gwasId, trait, genome } = options;
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMemo(() => {
    const texts = {
      chromosome: (chr: string) => t('gwas.onChromosome', { chr }),
      effect: (allele: string) => t('gwas.effectOf', { allele }),
    };
    let waiting: ReturnType<typeof setTimeout> | undefined;
    return (x: number, negLog10P: number, replace: (html: string) => void): string => {
      const { chromosome, positionBp } = locate(genome, x);
      const point = { chr: genome.names[chromosome] ?? '', positionBp, negLog10P };
      const soFar = describePoint(point, texts);
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        findMarkerAt(client, projectId, gwasId, trait, point).then(
          (row) => row && replace(describeMarker(row, texts)),
          () => replace(`${soFar}<br>${escapeHtml(t('gwas.markerNotRead'))}`),
        );
      }, REST_MS);
      return soFar;
    };
  }, [client, projectId, gwasId, trait, genome, t]);
}

/** Chromosome, zoom and moving along the genome, and what is shown. */
function ManhattanTools(props: {
  genome: GenomeAxis;
  view: GenomeView | undefined;
  onView: (view: GenomeView | undefined) => void;
  dragSelects: boolean;
  onDragSelects: (selects: boolean) => void;
  note: string;
}) {
  const { genome, view, onView, dragSelects, onDragSelects, note } = props;
  const { t } = useTranslation();
  const chromosome = view?.chromosome;
  return (
    <>
      <NativeSelect
        size="xs"
        maw="16rem"
        aria-label={t('gwas.chromosomeShown')}
        value={view === undefined ? '' : chromosome === undefined ? 'several' : String(chromosome)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onView(value === '' ? undefined : wholeChromosome(genome, Number(value)));
        }}
        data={[
          { value: '', label: t('gwas.wholeGenome') },
          ...(view !== undefined && chromosome === undefined
            ? [{ value: 'several', label: t('gwas.severalChromosomes') }]
            : []),
          ...genome.names.map((name, index) => ({
            value: String(index),
            label: t('gwas.onChromosome', { chr: name }),
          })),
        ]}
      />
      <IconButton label={t('word.zoomIn')} onClick={() => onView(zoom(genome, view, 1 / 3))}>
        <IconZoomIn size={16} />
      </IconButton>
      <IconButton
        label={t('word.zoomOut')}
        {...stays(view !== undefined)}
        onClick={() => onView(zoom(genome, view, 3))}
      >
        <IconZoomOut size={16} />
      </IconButton>
      <IconButton
        label={t('gwas.moveLeft')}
        {...stays(canShift(genome, view, -1))}
        onClick={() => view && onView(shift(genome, view, -1))}
      >
        <IconChevronLeft size={16} />
      </IconButton>
      <IconButton
        label={t('gwas.moveRight')}
        {...stays(canShift(genome, view, 1))}
        onClick={() => view && onView(shift(genome, view, 1))}
      >
        <IconChevronRight size={16} />
      </IconButton>
      <Button size="compact-xs" variant="default" {...stays(view !== undefined)} onClick={() => onView(undefined)}>
        {t('gwas.wholeGenome')}
      </Button>
      <IconButton label={t('gwas.dragSelects')} aria-pressed={dragSelects} onClick={() => onDragSelects(!dragSelects)}>
        <IconLasso size={16} />
      </IconButton>
      <span role="status" className="hx-muted">
        {note}
      </span>
    </>
  );
}

const canShift = (genome: GenomeAxis, view: GenomeView | undefined, direction: -1 | 1): boolean =>
  view !== undefined && shift(genome, view, direction) !== view;

/** A button that has nothing to do keeps its place and the focus it may have. */
function stays(isUseful: boolean) {
  return isUseful ? {} : { 'data-disabled': true, 'aria-disabled': true };
}

function ringOf(row: GwasRow, genome: GenomeAxis): ChartRing | undefined {
  const chromosome = genome.names.indexOf(row.chr);
  if (chromosome < 0) return undefined;
  return { x: (genome.offsets[chromosome] ?? 0) + row.pos, y: row.neg_log10_p, name: row.id };
}

/** The strongest marker is named when it passes the threshold. */
function topRing(
  summary: GwasDetail['summary'][string] | undefined,
  points: Float32Array,
  genome: GenomeAxis,
): ChartRing | undefined {
  const top = summary?.top;
  if (!summary || !top || top.p > summary.bonferroni) return undefined;
  const chromosome = genome.names.indexOf(top.chr);
  if (chromosome < 0) return undefined;
  // As high as it is drawn: a p that no number can hold has a logarithm all the same.
  let y = 0;
  for (let at = 2; at < points.length; at += PLOT_FIELDS) y = Math.max(y, points[at] ?? 0);
  return { x: (genome.offsets[chromosome] ?? 0) + top.pos, y, name: top.id };
}
