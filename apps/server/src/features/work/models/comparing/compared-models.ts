import type { MeanSd } from '@heterosis/analysis/prediction/evaluation/evaluation-figures';
import type { FoldAccuracy } from '@heterosis/analysis/prediction/evaluation/fold-results';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { compareFolds } from '@heterosis/statgen/genomic-prediction/paired-comparison';
import type { TraitAccuracy } from '../models.queries.ts';

type Figures = NonNullable<TraitAccuracy['compared']>;

/** A model of one trait on folds that others have too. */
export interface ModelOnFolds extends Omit<Figures['models'][number], 'fold_r'> {
  perFold: readonly FoldAccuracy[];
  meanFoldR: MeanSd;
  /** Mean over the folds of n_test/n_train. */
  testShare: number;
}

export interface Compared {
  figures: Figures;
  /** r of every fold: model, scheme, trait, repetition, fold, n, r. */
  csv: string;
}

/** Models on the same folds, each pair of them by the corrected resampled t-test. */
export function comparedModels(trait: string, models: readonly ModelOnFolds[]): Compared {
  const pairs = models.flatMap((_, second) =>
    models.slice(second + 1).map((__, k) => [second + 1 + k, second] as const),
  );
  const differences = pairs.flatMap(([first, second]) => {
    const [one, other] = [models[first], models[second]];
    if (one === undefined || other === undefined) return [];
    const found = differencesOf(one, other);
    if (found.length < 2) return [];
    const { difference, standardError: se, p } = compareFolds(found, one.testShare);
    return [{ first, second, difference, se, p }];
  });
  return {
    figures: {
      recommended: recommendedOf(models, differences),
      differences,
      models: models.map(figuresOf),
    },
    csv: [
      ...csvChunks(
        ['model', 'scheme', 'trait', 'repetition', 'fold', 'n', 'r'],
        models.flatMap(({ model, scheme, perFold }) =>
          perFold.map(({ repetition, fold, n, r }) => [model, scheme, trait, repetition, fold, n, r]),
        ),
      ),
    ].join(''),
  };
}

/**
 * The place of the simplest model, the first of those given, that predicts lines without records within one standard
 * error of the best: the rule of Breiman et al. 1984 (Classification and Regression Trees, section 3.4.3) with the
 * error of the paired difference.
 */
function recommendedOf(models: readonly ModelOnFolds[], differences: Figures['differences']): number | null {
  const places = Array.from(models.keys()).filter(
    (place) => models[place]?.scheme === 'cv1' && models[place].meanFoldR.mean !== null,
  );
  const rOf = (place: number): number => models[place]?.meanFoldR.mean ?? Number.NEGATIVE_INFINITY;
  const best = places.toSorted((a, b) => rOf(b) - rOf(a) || a - b)[0];
  if (best === undefined) return null;
  const isWithinError = (place: number): boolean => {
    const pair = differences.find(
      ({ first, second }) => first === Math.max(place, best) && second === Math.min(place, best),
    );
    return pair !== undefined && Math.abs(pair.difference) <= pair.se;
  };
  return places.find((place) => place === best || isWithinError(place)) ?? null;
}

const figuresOf = ({
  model,
  scheme,
  meanFoldR,
  seconds,
  bandwidth,
  folds_not_met,
  r_hat,
}: ModelOnFolds): Figures['models'][number] => ({
  ...{ model, scheme, fold_r: meanFoldR, seconds },
  ...(bandwidth === undefined ? {} : { bandwidth }),
  ...(folds_not_met === undefined ? {} : { folds_not_met }),
  ...(r_hat === undefined ? {} : { r_hat }),
});

/** r of the first minus that of the second in folds that have both. */
function differencesOf(first: ModelOnFolds, second: ModelOnFolds): number[] {
  const keyOf = ({ repetition, fold }: FoldAccuracy): string => `${repetition} ${fold}`;
  const before = new Map(second.perFold.map((row) => [keyOf(row), row.r]));
  return first.perFold.flatMap((row) => {
    const other = before.get(keyOf(row)) ?? null;
    return row.r === null || other === null ? [] : [row.r - other];
  });
}
