import { fittedLayers, placedPlots } from '@heterosis/charts/field/trial-layers';
import { formatStatistic } from '@heterosis/charts/format';
import type { MapLayer } from '@heterosis/charts/report-charts';
import type { TrialMeanRow, TrialPlots, TrialSeries, TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import type { Services } from '../../../platform/http/app.ts';
import { numberOrNull } from '../../../platform/result-tables/read-table-page.ts';
import type { ReportPart, ReportTraits } from '../runs/report/index.ts';
import { readField, readJson, stripsOf } from './read-trials.ts';
import type { TrialAnalysisRow, TrialTraitRow } from './trial-analyses.queries.ts';

const right = 'right' as const;
/** Traits, and trials of each, with figures; tables name all. */
const [TRAITS, TRIALS] = [4, 3];
/** Lines in tables. */
const SHOWN = 15;
/** Environments with their numbers written into the cells, and with their names beside them. */
const [WRITTEN, NAMED] = [12, 40];
/** Half of an interval of 95 % in standard errors. */
const Z_95 = 1.96;
const LAYER_TITLES = { value: 'Value', fitted: 'Fitted', trend: 'Trend of the field', residual: 'Residual' };

/** Of each trait its trials with their figures, maps and means of some, and what they say together. */
export async function trialAnalysisReport(
  services: Services,
  { trait_rows }: TrialAnalysisRow,
  names: ReportTraits,
): Promise<ReportPart[]> {
  const parts: ReportPart[] = [];
  for (const row of trait_rows.filter(({ summary }) => summary !== null).slice(0, TRAITS)) {
    if (row.result_keys.trials === undefined) continue;
    const { data: strips, fields } = await stripsOf(services, row);
    parts.push(trialsOf(row, strips));
    if (row.result_keys.series_page !== undefined)
      parts.push(...seriesOf(row, await readJson<TrialSeries>(services, row, 'series_page'), names));
    const analysed = strips.flatMap((strip, place) => (fields[place] == null ? [] : [{ strip, place }]));
    for (const { strip, place } of analysed.slice(0, TRIALS)) {
      const range = fields[place];
      if (range == null) continue;
      const { plots } = await readField(services, row, range);
      parts.push(...mapsOf(plots), residualsOf(plots));
      parts.push(...(await meansOf(services, row, { strip, place, checks: checksOf(plots), names })));
    }
  }
  return parts;
}

/** The trials with their heritabilities and variance components. */
function trialsOf({ trait }: TrialTraitRow, strips: readonly TrialStrip[]): ReportPart {
  const components = [...new Set(strips.flatMap(({ variances }) => Object.keys(variances)))].slice(0, 5);
  return {
    what: 'table',
    title: `${trait}: trials, heritability and variance components`,
    columns: [
      ...[{ title: 'Trial', stretches: true }, { title: 'Model' }],
      ...['Plots', 'Lines', 'H² (Cullis)', 'SED', ...components.map((name) => `σ² ${name}`)].map((title) => ({
        title,
        align: right,
      })),
    ],
    rows: strips.map((strip) => [
      ...[strip.environment, strip.model ?? 'left out', String(strip.plots), String(strip.lines)],
      ...[formatStatistic(strip.h2?.cullis), formatStatistic(strip.mean_sed)],
      ...components.map((name) => formatStatistic(strip.variances[name]?.value)),
    ]),
    note: 'SED: mean standard error of a difference of two means.',
  };
}

const checksOf = ({ kind, line }: TrialPlots): Set<string> => new Set(line.filter((_, plot) => kind[plot] === 'check'));

/** Values, fitted values, trend and residuals over the field. */
function mapsOf(plots: TrialPlots): ReportPart[] {
  const placed = placedPlots(plots);
  if (placed.plots.length === 0) return [];
  const { trait, environment, unit } = plots;
  const ofPlots = <Value>(values: readonly Value[]): Value[] => placed.plots.map((plot) => values[plot] as Value);
  const title = unit ? `${trait} (${unit})` : trait;
  const layers: MapLayer[] = [
    { title, values: ofPlots(plots.value), isDiverging: false },
    ...fittedLayers(plots, placed, (layer) => LAYER_TITLES[layer as keyof typeof LAYER_TITLES]).flatMap((layer) =>
      layer.kind === 'amount'
        ? [{ title: layer.title, values: layer.values, isDiverging: layer.range.isDiverging }]
        : [],
    ),
  ];
  const where = (holds: (plot: number) => boolean): number[] =>
    placed.plots.flatMap((plot, place) => (holds(plot) ? [place] : []));
  return [
    {
      what: 'figure',
      title: `${trait} in ${environment}: maps of the field`,
      caption:
        'Lines part replicates. A ring marks a plot that does not fit the others, a cross one that was set aside.',
      width: 'whole',
      figure: {
        chart: 'field',
        given: {
          ...{ row: placed.places.row, column: placed.places.column, layers, groups: ofPlots(plots.replicate) },
          marked: where((plot) => plots.outlier[plot] === true),
          crossed: where((plot) => plots.set_aside[plot] != null),
        },
      },
    },
  ];
}

function residualsOf({ trait, environment, unit, line, fitted, residual, outlier }: TrialPlots): ReportPart {
  const withUnit = (name: string): string => (unit ? `${name} (${unit})` : name);
  const points = line.flatMap((name, plot) => {
    const [x, y] = [fitted[plot] ?? null, residual[plot] ?? null];
    return x === null || y === null ? [] : [{ name, x, y, group: outlier[plot] === true ? 1 : 0 }];
  });
  return {
    what: 'figure',
    title: `${trait} in ${environment}: residuals`,
    caption: 'Against fitted values: a cloud without form, if the model fits.',
    width: 'half',
    figure: {
      chart: 'scatter',
      given: {
        ...{ points, x: withUnit('Fitted'), y: withUnit('Residual') },
        ...(points.some(({ group }) => group === 1) ? { groups: ['Plots', 'Looks wrong'] } : {}),
      },
    },
  };
}

interface OfTrial {
  strip: TrialStrip;
  place: number;
  checks: ReadonlySet<string>;
  names: ReportTraits;
}

/** Means with their intervals, and the best lines. */
async function meansOf(
  { tables }: Services,
  { trait, result_keys: { means_table: key } }: TrialTraitRow,
  { strip: { environment, mean_sed }, place, checks, names }: OfTrial,
): Promise<ReportPart[]> {
  if (key === undefined) return [];
  const found = await tables.query<TrialMeanRow & Record<string, unknown>>(
    key,
    (table) =>
      `select line, mean, se, blup, blup_se, replicates from ${table}
       where environment_place = ${place} and mean is not null order by mean`,
  );
  const rows = names.isLow(trait) ? found : found.toReversed();
  const y = names.withUnit(trait, trait);
  const half = (se: number | null): number | null =>
    mean_sed === null ? (se === null ? null : Z_95 * se) : (Z_95 * mean_sed) / 2;
  return [
    {
      what: 'figure',
      title: `${trait} in ${environment}: means`,
      caption:
        mean_sed === null
          ? 'Lines by their means, with intervals of 95 %.'
          : 'Lines by their means. Two whose bars do not overlap differ by more than the least significant difference.',
      width: 'half',
      figure: {
        chart: 'means',
        given: {
          ...{ x: 'Lines by mean', y, plain: 'Entries', marked: 'Checks' },
          points: rows.map(({ line, mean, se }) => ({
            ...{ name: line, mean: Number(mean), se: half(numberOrNull(se)), isMarked: checks.has(line) },
          })),
        },
      },
    },
    {
      what: 'table',
      title: `${trait} in ${environment}: the best ${Math.min(SHOWN, rows.length)} of ${rows.length} lines`,
      columns: [
        { title: 'Line', stretches: true },
        ...[y, 'SE', 'BLUP', 'SE of BLUP', 'Plots'].map((title) => ({ title, align: right })),
      ],
      rows: rows
        .slice(0, SHOWN)
        .map(({ line, mean, se, blup, blup_se, replicates }) => [
          ...[checks.has(line) ? `${line} (check)` : line, mean, se],
          ...[blup, blup_se, String(replicates)],
        ]),
    },
  ];
}

/** Performance and stability of the lines, and how alike the environments are. */
function seriesOf({ trait }: TrialTraitRow, series: TrialSeries, names: ReportTraits): ReportPart[] {
  const { lines, environments, genetic_correlation: correlation, structure } = series;
  const hasFactors = lines.rmsd.some((value) => value !== null && value > 0);
  const [xs, ys] = hasFactors ? [lines.performance, lines.rmsd] : [lines.overall, lines.overall_se];
  const order = lines.line.map((_, place) => place);
  const sign = names.isLow(trait) ? 1 : -1;
  order.sort((a, b) => sign * ((lines.overall[a] ?? 0) - (lines.overall[b] ?? 0)));
  return [
    {
      what: 'figure',
      title: `${trait}: ${hasFactors ? 'performance and stability' : 'effects over all trials'}`,
      caption: hasFactors
        ? 'On the right: high over all trials; low: alike in all of them.'
        : 'Effects over all trials and their standard errors.',
      width: 'half',
      figure: {
        chart: 'scatter',
        given: {
          x: names.withUnit(hasFactors ? 'Overall performance' : 'Overall effect', trait),
          y: names.withUnit(hasFactors ? 'Instability (RMSD)' : 'Standard error', trait),
          points: lines.line.flatMap((name, place) => {
            const [x, y] = [xs[place] ?? null, ys[place] ?? null];
            return x === null || y === null ? [] : [{ name, x, y }];
          }),
        },
      },
    },
    {
      what: 'figure',
      title: `${trait}: genetic correlations of the trials`,
      caption: `Structure ${structure}; alike ones beside each other.`,
      width: 'half',
      figure: {
        chart: 'heatmap',
        given: {
          map: { rows: environments, columns: environments, values: correlation.flat() },
          ...{ min: -1, max: 1, isDiverging: true, showNames: environments.length <= NAMED },
          showValues: environments.length <= WRITTEN,
        },
      },
    },
    {
      what: 'table',
      title: `${trait}: the best ${Math.min(SHOWN, order.length)} of ${order.length} lines over all trials`,
      columns: [
        { title: 'Line', stretches: true },
        ...['Effect over all', 'SE', 'Reliability', 'Performance', 'RMSD', 'Mean', 'Slope'].map((title) => ({
          title,
          align: right,
        })),
      ],
      rows: order
        .slice(0, SHOWN)
        .map((place) => [
          lines.line[place] ?? '',
          ...(['overall', 'overall_se', 'reliability', 'performance', 'rmsd', 'mean', 'slope'] as const).map(
            (measure) => lines[measure][place],
          ),
        ]),
    },
  ];
}
