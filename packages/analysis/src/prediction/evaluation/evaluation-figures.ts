import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import {
  type GeneticAccuracy,
  geneticAccuracy,
  type HeldOutPrediction,
  meanAndSd,
} from '@heterosis/statgen/genomic-prediction/prediction-accuracy';

/** Mean and standard deviation over repetitions; null where not defined. */
export interface MeanSd {
  mean: number | null;
  sd: number | null;
}

/**
 * Accuracy figures of the pooled predictions of a repetition, with the field names of the API. All but `phenotype_r`
 * are those of genetic predictions against records that the fixed effects are taken from.
 */
export interface AccuracySummary {
  /** Predictive ability. */
  pearson_r: MeanSd;
  /** cor(ŷ, y); null without fixed effects, where it is `pearson_r`. */
  phenotype_r: MeanSd | null;
  spearman_r: MeanSd;
  rmse: MeanSd;
  r2: MeanSd;
  slope: MeanSd;
}

export interface RepetitionAccuracy {
  repetition: number;
  pearson_r: number | null;
  phenotype_r: number | null;
  spearman_r: number | null;
  rmse: number | null;
  r2: number | null;
  slope: number | null;
}

export function deviations(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

/** The figures of each repetition and their mean and SD, with the field names of the API. */
export function accuracyFigures(
  repetitions: readonly GeneticAccuracy[],
  hasFixedEffects: boolean,
): {
  perRepetition: RepetitionAccuracy[];
  summary: AccuracySummary;
} {
  const over = (figure: keyof GeneticAccuracy): MeanSd =>
    summarize(repetitions.map((repetition) => repetition[figure]));
  return {
    perRepetition: repetitions.map(({ pearsonR, phenotypeR, spearmanR, rmse, r2, slope }, r) => ({
      repetition: r + 1,
      pearson_r: finite(pearsonR),
      phenotype_r: hasFixedEffects ? finite(phenotypeR) : null,
      spearman_r: finite(spearmanR),
      rmse: finite(rmse),
      r2: finite(r2),
      slope: finite(slope),
    })),
    summary: {
      pearson_r: over('pearsonR'),
      phenotype_r: hasFixedEffects ? over('phenotypeR') : null,
      spearman_r: over('spearmanR'),
      rmse: over('rmse'),
      r2: over('r2'),
      slope: over('slope'),
    },
  };
}

/** How well each repetition predicted; `all` has individuals × repetitions. */
export const repetitionsOf = (observed: Float64Array, all: HeldOutPrediction, repetitions: number): GeneticAccuracy[] =>
  Array.from({ length: repetitions }, (_, r) => {
    const of = (own: Float64Array) => own.subarray(r * observed.length, (r + 1) * observed.length);
    return geneticAccuracy(observed, { genetic: of(all.genetic), fixedPart: of(all.fixedPart) });
  });

export function summarize(values: readonly number[]): MeanSd {
  const { mean, sd } = meanAndSd(values);
  return { mean: finite(mean), sd: finite(sd) };
}

export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/**
 * Accuracy of every fold as CSV: trait, repetition, fold, n, r, with fixed effects phenotype_r, and group where groups
 * are left out.
 */
export function evaluationCsv(
  evaluations: readonly { trait: string; hasFixedEffects: boolean; perFold: readonly FoldRow[] }[],
): Iterable<string> {
  const hasGroups = evaluations.some(({ perFold }) => perFold.some(({ group }) => group !== null));
  const hasFixedEffects = evaluations.some((one) => one.hasFixedEffects);
  const chosen = <Value>(phenotypeR: Value, group: Value): Value[] => [
    ...(hasFixedEffects ? [phenotypeR] : []),
    ...(hasGroups ? [group] : []),
  ];
  return csvChunks(
    ['trait', 'repetition', 'fold', 'n', 'r', ...chosen('phenotype_r', 'group')],
    evaluations.flatMap(({ trait, perFold }) =>
      perFold.map(({ repetition, fold, n, r, phenotype_r, group }) => [
        ...[trait, repetition, fold, n, r],
        ...chosen<string | number | null>(phenotype_r, group),
      ]),
    ),
  );
}

/** A row of {@link evaluationCsv}. */
interface FoldRow {
  repetition: number;
  fold: number;
  n: number;
  r: number | null;
  phenotype_r: number | null;
  group: string | null;
}
