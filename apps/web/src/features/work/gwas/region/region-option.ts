import type { ChartColors } from '@heterosis/charts/chart-colors';
import { axis, type ChartOption, escapeHtml, frame, thresholdLine } from '@heterosis/charts/chart-option';
import { FONT_FAMILY } from '@heterosis/charts/font';
import { axisToRoundEnd, roundTicks } from '@heterosis/charts/round-ticks';
import type { GwasRegion } from '@heterosis/contracts/work/gwas';
import { formatMb, formatPValue, formatStatistic, formatTick } from '../../../../lib/format/format.ts';

export type RegionGene = NonNullable<GwasRegion['genes']>['data'][number];
type RegionMarker = GwasRegion['markers'][number];

/** Classes of r² with the lead, by their lower ends; even in lightness, so that their order is seen without colour. */
const R2_FROM = [0, 0.2, 0.4, 0.6, 0.8];
const R2_COLORS = {
  light: ['#b8c4ce', '#86b3d4', '#4292c6', '#1561a8', '#08306b'],
  dark: ['#4a5560', '#3f7396', '#5b9bc8', '#9ac8e8', '#e3f0fa'],
};

export const REGION_PLOT_PX = 260;
const LANE_PX = 26;
const MOST_LANES = 6;
const TOP_PX = 36;
const GAP_PX = 12;
const AXIS_PX = 44;
/** Width of a letter of a gene's name, for keeping names apart. */
const LETTER_PX = 7.2;

interface Span {
  start: number;
  end: number;
}

/** Genes in lanes, so that neither they nor their names lie upon each other; those that find no lane are left out. */
export function laneOfGenes(genes: readonly RegionGene[], region: Span, bpPerPixel: number): (number | undefined)[] {
  const ends: number[] = [];
  return genes.map((gene) => {
    const text = labelOf(gene).length * LETTER_PX * bpPerPixel;
    const middle = middleOfName(gene, region, text);
    const [from, to] = [Math.min(gene.start, middle - text / 2), Math.max(gene.end, middle + text / 2)];
    let lane = ends.findIndex((end) => end < from);
    if (lane < 0) lane = ends.length;
    if (lane >= MOST_LANES) return undefined;
    ends[lane] = to + 4 * bpPerPixel;
    return lane;
  });
}

/** The name of a gene with an arrow for its strand. */
const labelOf = ({ name, strand }: RegionGene): string =>
  strand === 1 ? `${name} →` : strand === -1 ? `← ${name}` : name;

/** Below the middle of the gene, or as near to it as the whole name fits into the picture. */
const middleOfName = (gene: Span, picture: Span, width: number): number =>
  Math.max(picture.start + width / 2, Math.min((gene.start + gene.end) / 2, picture.end - width / 2));

const lanesOf = (lanes: readonly (number | undefined)[]): number =>
  lanes.reduce<number>((most, lane) => Math.max(most, (lane ?? -1) + 1), 0);

export const regionHeight = (lanes: readonly (number | undefined)[]): number =>
  TOP_PX + REGION_PLOT_PX + AXIS_PX + (lanes.length === 0 ? 0 : GAP_PX + Math.max(1, lanesOf(lanes)) * LANE_PX);

interface Texts {
  x: string;
  rate: string;
  lead: string;
  noR2: string;
  effect: string;
  genes: string;
}

interface RegionPlot {
  region: GwasRegion;
  start: number;
  end: number;
  /** p-value, drawn as a line. */
  threshold: number;
  lanes: readonly (number | undefined)[];
  /** Names of markers that are selected on the page. */
  selected: ReadonlySet<string>;
  texts: Texts;
}

/** Markers by position, −log10 p and r² with the lead; recombination rate as a line; genes below in lanes. */
export function regionOption(plot: RegionPlot, colors: ChartColors): ChartOption {
  const { region, start, end, threshold, lanes, texts } = plot;
  const genes = region.genes?.data ?? [];
  const laneCount = lanes.length === 0 ? 0 : Math.max(1, lanesOf(lanes));
  const hasRate = (region.recombination?.data.length ?? 0) > 0;
  const base = frame(colors);
  const right = hasRate ? 58 : 16;
  const genesTop = TOP_PX + REGION_PLOT_PX + GAP_PX;
  const largest = region.markers.reduce((most, one) => Math.max(most, one.neg_log10_p), -Math.log10(threshold));
  const xAxis = (gridIndex: number, isShown: boolean) => ({
    ...axis(colors, 'x', { name: isShown ? texts.x : '', min: start, max: end }),
    gridIndex,
    axisLabel: {
      show: isShown,
      color: colors.muted,
      fontSize: 12,
      hideOverlap: true,
      customValues: roundTicks(start, end),
      formatter: (value: number) => formatTick(Number((value / 1e6).toFixed(6))),
    },
  });
  return {
    ...base,
    grid: [
      { left: 58, right, top: TOP_PX, height: REGION_PLOT_PX, bottom: 0 },
      ...(laneCount === 0 ? [] : [{ left: 58, right, top: genesTop, height: laneCount * LANE_PX }]),
    ],
    legend: {
      type: 'scroll',
      top: 4,
      left: 50,
      itemWidth: 10,
      itemHeight: 10,
      itemGap: 12,
      textStyle: { color: colors.muted, fontSize: 12 },
    },
    tooltip: {
      ...base.tooltip,
      formatter: ({ data }: { data: { tip?: string } }) => data.tip ?? '',
    },
    xAxis: [xAxis(0, laneCount === 0), ...(laneCount === 0 ? [] : [xAxis(1, true)])],
    yAxis: [
      { ...axis(colors, 'y', { name: '−log₁₀ p', min: 0, ...axisToRoundEnd(largest) }), gridIndex: 0 },
      ...(laneCount === 0 ? [] : [{ type: 'value', gridIndex: 1, min: 0, max: laneCount, inverse: true, show: false }]),
      ...(hasRate
        ? [
            {
              ...axis(colors, 'y', { name: texts.rate, min: 0 }),
              gridIndex: 0,
              position: 'right',
              splitLine: { show: false },
              nameGap: 38,
            },
          ]
        : []),
    ],
    series: [
      ...(hasRate ? [rateLine(region, laneCount === 0 ? 1 : 2, texts.rate, colors)] : []),
      ...markerSeries(plot, colors),
      ...(laneCount === 0 ? [] : [geneTrack(genes, lanes, texts.genes, colors)]),
    ],
  };

  function rateLine({ recombination }: GwasRegion, yAxisIndex: number, name: string, { series }: ChartColors) {
    return {
      type: 'line',
      name,
      xAxisIndex: 0,
      yAxisIndex,
      step: 'end',
      symbol: 'none',
      silent: true,
      z: 1,
      lineStyle: { color: series[3], width: 1.25 },
      itemStyle: { color: series[3] },
      data: (recombination?.data ?? []).flatMap((one) => [
        { value: [Math.max(start, one.start), one.cm_per_mb] },
        { value: [Math.min(end, one.end), one.cm_per_mb] },
      ]),
    };
  }
}

function markerSeries({ region, threshold, selected, texts }: RegionPlot, colors: ChartColors) {
  const tones = colors.dark ? R2_COLORS.dark : R2_COLORS.light;
  const point = (one: RegionMarker) => ({
    value: [one.pos, one.neg_log10_p],
    name: one.id,
    tip: tipOf(one, texts),
    ...(selected.has(one.id) ? { itemStyle: { borderColor: colors.threshold, borderWidth: 2 } } : {}),
  });
  const shared = { type: 'scatter', xAxisIndex: 0, yAxisIndex: 0, cursor: 'pointer', symbolSize: 7, z: 3 };
  const lead = region.markers.find((one) => one.id === region.lead);
  const others = region.markers.filter((one) => one !== lead);
  const classes = R2_FROM.map((from, index) => {
    const to = R2_FROM[index + 1] ?? 1.01;
    return {
      ...shared,
      name: `r² ${from}–${index === R2_FROM.length - 1 ? 1 : to}`,
      itemStyle: { color: tones[index], borderColor: colors.muted, borderWidth: 0.5 },
      data: others.filter((one) => one.r2 !== null && one.r2 >= from && one.r2 < to).map(point),
    };
  });
  const unknown = others.filter((one) => one.r2 === null);
  return [
    ...classes,
    ...(unknown.length === 0
      ? []
      : [
          {
            ...shared,
            name: texts.noR2,
            symbol: 'emptyCircle',
            itemStyle: { color: colors.muted },
            data: unknown.map(point),
          },
        ]),
    {
      ...shared,
      name: texts.lead,
      symbol: 'diamond',
      symbolSize: 13,
      z: 4,
      itemStyle: { color: colors.threshold },
      data: lead === undefined ? [] : [point(lead)],
      markLine: { silent: true, symbol: 'none', data: [thresholdLine(colors, -Math.log10(threshold), '')] },
    },
  ];
}

/** Genes as bars with their names and directions below. */
function geneTrack(
  genes: readonly RegionGene[],
  lanes: readonly (number | undefined)[],
  name: string,
  colors: ChartColors,
) {
  const shown = genes.flatMap((gene, index) => {
    const lane = lanes[index];
    return lane === undefined ? [] : [{ gene, lane }];
  });
  return {
    type: 'custom',
    name,
    xAxisIndex: 1,
    yAxisIndex: 1,
    clip: true,
    itemStyle: { color: colors.accent },
    data: shown.map(({ gene, lane }) => ({
      value: [gene.start, gene.end, lane],
      name: gene.name,
      tip: tipOfGene(gene),
    })),
    renderItem: (
      { dataIndex, coordSys: { x, width } }: { dataIndex: number; coordSys: { x: number; width: number } },
      api: { coord: (place: number[]) => number[]; value: (dimension: number) => number },
    ) => {
      const [left = 0, top = 0] = api.coord([api.value(0), api.value(2)]);
      const [right = 0] = api.coord([api.value(1), api.value(2)]);
      const one = shown[dataIndex];
      const text = one === undefined ? '' : labelOf(one.gene);
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: { x: left, y: top + 3, width: Math.max(2, right - left), height: 6, r: 1 },
            style: { fill: colors.accent },
          },
          {
            type: 'text',
            x: middleOfName({ start: left, end: right }, { start: x, end: x + width }, text.length * LETTER_PX),
            y: top + 11,
            style: {
              text,
              align: 'center',
              verticalAlign: 'top',
              fill: colors.text,
              font: `italic 11px ${FONT_FAMILY}`,
            },
          },
        ],
      };
    },
  };
}

const lines = (...all: string[]): string => all.map(escapeHtml).join('<br>');

function tipOf({ id, pos, p, beta, sd, r2 }: RegionMarker, { effect }: Texts): string {
  return lines(
    id,
    `${formatMb(pos)} Mb`,
    `p = ${formatPValue(p)}`,
    ...(beta === null ? [] : [`${effect}: ${formatStatistic(beta)}${sd === null ? '' : ` ± ${formatStatistic(sd)}`}`]),
    ...(r2 === null ? [] : [`r² = ${r2.toFixed(2)}`]),
  );
}

const tipOfGene = ({ id, name, start, end, description }: RegionGene): string =>
  lines(
    name,
    ...(id === name ? [] : [id]),
    `${formatMb(start)} – ${formatMb(end)} Mb`,
    ...(description ? [description] : []),
  );
