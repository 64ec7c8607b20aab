import { type CsvValue, csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import { nameOfStructure } from '@heterosis/statgen/trial-series/series-structure';
import { correlationsOf } from '@heterosis/statgen/trial-series/series-summary';
import type { SeriesResult } from './analyze-series.ts';

export {
  nameOfStructure,
  type SeriesStructure,
  structureNamed,
} from '@heterosis/statgen/trial-series/series-structure';

const COLUMNS = ['trait', 'line', 'environment', 'value', 'se', 'reliability'] as const;
/** The environment of the performance over all. */
const OVERALL = 'overall';

/** Predicted effects of every line over all environments and in each of them. */
export function seriesCsv(results: readonly SeriesResult[]): Generator<string> {
  return csvChunks(COLUMNS, rows());
  function* rows(): Generator<CsvValue[]> {
    for (const { trait, lines, environments, predictions } of results) {
      const columns = [
        { environment: OVERALL, effects: predictions.overall },
        ...environments.map((environment, j) => ({ environment, effects: predictions.environments[j] })),
      ];
      for (const [i, line] of lines.entries()) {
        for (const { environment, effects } of columns) {
          if (effects === undefined) continue;
          const { effects: values, errorVariances, reliabilities } = effects;
          yield [trait, line, environment, values[i], Math.sqrt(errorVariances[i]), reliabilities[i]];
        }
      }
    }
  }
}

export interface SeriesSummary {
  trait: string;
  structure: string;
  relationships: SeriesResult['relationships'];
  log_likelihood: number;
  parameters: number;
  aic: number;
  converged: boolean;
  environments: string[];
  /** Lines with a mean, by environment. */
  lines: number[];
  /** Estimated mean of each environment, its standard error, and the heritability of effects in it. */
  means: number[];
  mean_se: number[];
  h2: (number | null)[];
  genetic_covariance: number[][];
  genetic_correlation: (number | null)[][];
  loadings: number[][] | null;
  specific: { value: number; at_bound: boolean }[];
  explained: number[][] | null;
  residual_lines: number[] | null;
  /** Variances of the plots of each environment, in one stage. */
  plot_variances: Record<string, number>[] | null;
  dominance: { variance: number; interaction: number } | null;
  /** Shares of what was added to the diagonal of a singular kernel. */
  ridge: number;
  alternatives: { structure: string; log_likelihood: number; parameters: number; aic: number }[];
  stability: Record<string, number | string | null>[];
}

/** The figures of each trait as JSON; matrices as rows, environments in the order named. */
export function seriesReport(results: readonly SeriesResult[]): { series: SeriesSummary[] } {
  return { series: results.map(summaryOf) };
}

function summaryOf(result: SeriesResult): SeriesSummary {
  const { trait, relationships, environments, data, fit, factors, predictions, tried, lineCounts } = result;
  const e = environments.length;
  const [structure] = fit.structures;
  const covariance = fit.covariances[0];
  const specificOf = (kernel: number): number[] =>
    environments.map((_, j) => fit.parameters.specific.data[j + kernel * e]);
  const dominance = fit.structures.findIndex((one, k) => k > 0 && one.kind === 'cs');
  const residual = fit.structures.findIndex((one, k) => k > 0 && one.kind === 'diag');
  return {
    trait,
    structure: nameOfStructure(structure),
    relationships,
    log_likelihood: fit.logLikelihood,
    parameters: fit.parameterCount,
    aic: fit.aic,
    converged: fit.isConverged,
    environments,
    lines: lineCounts,
    means: [...predictions.means],
    mean_se: [...predictions.meanErrors],
    h2: predictions.heritabilities,
    genetic_covariance: rowsOf(covariance),
    genetic_correlation: rowsOf(correlationsOf(covariance)).map((row) =>
      row.map((value) => (Number.isFinite(value) ? value : null)),
    ),
    loadings: factors === null ? null : rowsOf(factors.loadings),
    specific: specificOf(0).map((value, j) => ({ value, at_bound: fit.specificAtZero[j] === 1 })),
    explained: factors === null ? null : rowsOf(factors.explained),
    residual_lines: residual < 0 ? null : specificOf(residual),
    plot_variances: plotVariances(result),
    dominance:
      dominance < 0
        ? null
        : {
            variance: fit.covariances[dominance].data[1],
            interaction: fit.parameters.specific.data[dominance * e],
          },
    ridge: data.kernels[0].ridge,
    alternatives: tried.map((one) => ({
      structure: one.structure,
      log_likelihood: one.logLikelihood,
      parameters: one.parameterCount,
      aic: one.aic,
    })),
    stability: stabilityRows(result),
  };
}

function plotVariances({ data, fit }: SeriesResult): SeriesSummary['plot_variances'] {
  if (data.trials.every(({ terms }) => terms.length === 0)) return null;
  return data.trials.map(({ terms }, j) =>
    Object.fromEntries(terms.map(({ name }, m) => [name, fit.parameters.local[j]?.[m] ?? 0])),
  );
}

/** One row a line: performance and stability of the factors, and the classical measures where a line was everywhere. */
function stabilityRows({ lines, predictions, factors, stability }: SeriesResult): SeriesSummary['stability'] {
  const placeOf = new Map(stability?.lines.map((line, i) => [line, i]));
  return lines.map((line, i) => {
    const at = placeOf.get(line);
    const classical = (values: Float64Array | undefined): number | null => {
      const value = at === undefined ? undefined : values?.[at];
      return value === undefined || Number.isNaN(value) ? null : value;
    };
    return {
      line,
      overall: predictions.overall.effects[i],
      performance: factors?.performance[i] ?? null,
      rmsd: factors?.instability[i] ?? null,
      mean: classical(stability?.means),
      slope: classical(stability?.regression?.slopes),
      deviations: classical(stability?.regression?.deviations),
      superiority: classical(stability?.superiority),
      variance: classical(stability?.environmentalVariance),
      ecovalence: classical(stability?.ecovalence),
      shukla: classical(stability?.shukla),
    };
  });
}

function rowsOf({ data, rows, columns }: Matrix): number[][] {
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_unused, j) => data[i + j * rows]));
}
