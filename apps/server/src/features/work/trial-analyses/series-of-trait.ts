import { describeError } from '@heterosis/analysis/describe-error';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import { analyzeSeries, type SeriesResult } from '@heterosis/analysis/trial-series/analyze-series';
import { clusterEnvironments } from '@heterosis/analysis/trial-series/cluster-environments';
import { recordsOfMeans } from '@heterosis/analysis/trial-series/series-records';
import { seriesRelationships } from '@heterosis/analysis/trial-series/series-relationships';
import {
  type SeriesSummary,
  seriesCsv,
  seriesReport,
  structureNamed,
} from '@heterosis/analysis/trial-series/series-tables';
import type { TrialMeansWithErrors } from '@heterosis/analysis/trials/field-of-trial';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import type { TrialSeries } from '@heterosis/contracts/work/trial-analyses';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import type { ComputeContext } from '../../../platform/compute/compute.ts';
import type { openStorageLocation } from '../../../platform/object-storage/storage-location.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../../platform/object-storage/stored-panel.ts';
import type { ResultColumn } from '../../../platform/result-tables/write-result-table.ts';
import type { TrialAnalysisParameters } from './trial-analyses.queries.ts';

interface SeriesOfTrait {
  trait: string;
  unit: string | null;
  means: readonly TrialMeansWithErrors[];
  storage: ReturnType<typeof openStorageLocation>;
  panel: PanelKeys | null;
  pedigree: string | null;
  parameters: TrialAnalysisParameters;
}

/** A series as the command line writes it, as its page reads it, and its effects as a table. */
export interface AnalysedSeries {
  csv: Iterable<string>;
  report: Iterable<string>;
  page: TrialSeries;
  effects: ResultColumn[];
  /** Of the effects over all environments; null where lines and records are too many. */
  errors: { lines: string[]; covariance: Matrix } | null;
}

/** Why trials are not analysed together. */
export interface NoSeries {
  /** Null where nothing is wrong. */
  code: string | null;
  text: string;
}

/** The trials of a trait together, or why they are not analysed together. */
export async function seriesOfTrait(
  { trait, unit, means, storage, panel: keys, pedigree: key, parameters }: SeriesOfTrait,
  context: ComputeContext,
): Promise<AnalysedSeries | NoSeries> {
  const structure = structureNamed(parameters.structure);
  if (structure === null) return { code: null, text: 'It was not asked for.' };
  if (means.length < 2) return { code: null, text: 'There are means in fewer than two environments.' };
  const { residualLines, ...asked } = inputsOf(TRIAL_ANALYSIS_OPTIONS, parameters);
  const { method, maf, callRate, dominance, doubleReduction, founders } = asked;
  const ploidy = Number(parameters.ploidy ?? 2);
  let panel: GenotypePanel | undefined;
  try {
    panel = keys === null ? undefined : await openStoredPanel(storage, keys);
    const pedigree = key === null ? undefined : await readPedigree(storage, key);
    const records = means.map(recordsOfMeans);
    const lines = [...new Set(records.flatMap((own) => own.lines))];
    const sources = { panel, pedigree, ploidy, method, maf, callRate, dominance, doubleReduction, founders };
    const relationships = await seriesRelationships(lines, sources, context);
    const result = analyzeSeries(
      records,
      relationships,
      { trait, structure, residualLines, errorCovariance: true },
      context,
    );
    const { errorCovariance } = result.predictions.overall;
    const { series } = seriesReport([result]);
    const [summary] = series;
    if (summary === undefined) throw new TypeError('a series that was analysed has a report');
    return {
      csv: seriesCsv([result]),
      report: [JSON.stringify({ series }, null, 2), '\n'],
      page: pageOf(result, summary, unit),
      effects: effectsOf(result),
      errors: errorCovariance === null ? null : { lines: result.lines, covariance: errorCovariance },
    };
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    return { code: described.code, text: `${described.message} ${described.action}` };
  } finally {
    await panel?.close();
  }
}

async function readPedigree(storage: SeriesOfTrait['storage'], key: string): Promise<PedigreeTable> {
  const bytes = await readObject(storage, key);
  return readingStored('pedigree', () => unpackRecord<PedigreeTable>(bytes));
}

/** Environments in the order of their tree. */
function pageOf(result: SeriesResult, summary: SeriesSummary, unit: string | null): TrialSeries {
  const { predictions, warnings, lines } = result;
  const e = summary.environments.length;
  const correlations = new Float64Array(e * e);
  for (const [i, row] of summary.genetic_correlation.entries())
    for (const [j, value] of row.entries()) correlations[i + j * e] = value ?? Number.NaN;
  const { order, tree } = clusterEnvironments({ rows: e, columns: e, data: correlations });
  const placeOf = new Map(order.map((environment, place) => [environment, place]));
  const moved = (node: number): number => placeOf.get(node) ?? node;
  const sorted = <Value>(values: readonly Value[]): Value[] => order.flatMap((j) => values.slice(j, j + 1));
  const square = (rows: readonly (readonly (number | null)[])[]): (number | null)[][] =>
    sorted(rows).map((row) => sorted(row));
  const { overall } = predictions;
  const stability = (name: string): (number | null)[] =>
    summary.stability.map((row) => (typeof row[name] === 'number' ? row[name] : null));
  return {
    ...{ trait: summary.trait, unit, structure: summary.structure, relationships: summary.relationships },
    ...{ log_likelihood: summary.log_likelihood, parameters: summary.parameters, aic: summary.aic },
    ...{ converged: summary.converged, environments: sorted(summary.environments) },
    tree: tree.map(({ left, right, height }) => ({ left: moved(left), right: moved(right), height })),
    ...{ line_counts: sorted(summary.lines), means: sorted(summary.means), mean_se: sorted(summary.mean_se) },
    h2: sorted(summary.h2),
    genetic_covariance: square(summary.genetic_covariance),
    genetic_correlation: square(summary.genetic_correlation),
    loadings: summary.loadings === null ? null : sorted(summary.loadings),
    explained: summary.explained === null ? null : sorted(summary.explained),
    specific: sorted(summary.specific),
    residual_lines: summary.residual_lines === null ? null : sorted(summary.residual_lines),
    ...{ dominance: summary.dominance, alternatives: summary.alternatives },
    warnings: warnings.map(({ message }) => message),
    lines: {
      line: [...lines],
      overall: [...overall.effects],
      overall_se: Array.from(overall.errorVariances, (variance) => Math.sqrt(variance)),
      reliability: Array.from(overall.reliabilities, (value) => (Number.isFinite(value) ? value : null)),
      ...{ performance: stability('performance'), rmsd: stability('rmsd'), mean: stability('mean') },
      ...{ slope: stability('slope'), deviations: stability('deviations'), superiority: stability('superiority') },
      ...{ variance: stability('variance'), ecovalence: stability('ecovalence'), shukla: stability('shukla') },
    },
  };
}

/** Effects of every line in every environment, for its profile; without an environment over all. */
function effectsOf({ lines, environments, predictions }: SeriesResult): ResultColumn[] {
  const groups = [
    { environment: null, effects: predictions.overall },
    ...environments.flatMap((environment, j) => {
      const effects = predictions.environments[j];
      return effects === undefined ? [] : [{ environment, effects }];
    }),
  ];
  const all = (values: (effects: (typeof groups)[number]['effects']) => Iterable<number>): number[] =>
    groups.flatMap(({ effects }) => [...values(effects)]);
  return [
    { name: 'line', type: 'text', values: groups.flatMap(() => lines) },
    { name: 'environment', type: 'text', values: groups.flatMap(({ environment }) => lines.map(() => environment)) },
    { name: 'value', type: 'double', values: all(({ effects }) => effects) },
    { name: 'se', type: 'double', values: all(({ errorVariances }) => errorVariances.map(Math.sqrt)) },
    { name: 'reliability', type: 'double', values: all(({ reliabilities }) => reliabilities) },
  ];
}
