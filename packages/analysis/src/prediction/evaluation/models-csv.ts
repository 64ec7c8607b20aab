import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { PairedComparison } from '@heterosis/statgen/genomic-prediction/paired-comparison';
import type { FoldAccuracy } from './fold-results.ts';

/** r of every fold as CSV: model, trait, environment (of models of several), repetition, fold, n, r. */
export function modelsCsv(
  evaluations: readonly {
    model: string;
    trait: string;
    environment?: string;
    perFold: readonly FoldAccuracy[];
  }[],
): Iterable<string> {
  return csvChunks(
    ['model', 'trait', 'environment', 'repetition', 'fold', 'n', 'r'],
    evaluations.flatMap(({ model, trait, environment, perFold }) =>
      perFold.map(({ repetition, fold, n, r }) => [model, trait, environment ?? null, repetition, fold, n, r]),
    ),
  );
}

/** Differences of models as CSV: model1, model2, trait, difference (the first minus the second), se, p. */
export function comparisonsCsv(
  comparisons: readonly (PairedComparison & { models: readonly [string, string]; trait: string })[],
): Iterable<string> {
  return csvChunks(
    ['model1', 'model2', 'trait', 'difference', 'se', 'p'],
    comparisons.map(({ models: [first, second], trait, difference, standardError, p }) => [
      ...[first, second, trait, difference, standardError, p],
    ]),
  );
}
