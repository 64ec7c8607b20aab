import type { Folds } from '@heterosis/statgen/genomic-prediction/folds';
import { AnalysisError } from '../../context.ts';
import type { NameMatching } from '../../inputs/align-phenotype.ts';
import { matchIndividuals } from '../../inputs/match-names.ts';
import type { FoldsTable } from './folds.ts';

/** Given folds by panel individual. */
export function placeFolds(folds: FoldsTable, samples: readonly string[], matching: NameMatching): Int32Array[] {
  const { both } = matchIndividuals(samples, folds.individuals, {
    ...(matching.catalogue === undefined ? {} : { catalogue: matching.catalogue }),
    suggestionsPerName: 0,
  });
  if (both.length === 0) {
    throw new AnalysisError(
      'match/nothing-in-common',
      'The table of folds and the genotype have no individual in common.',
      'Write the names in both files in the same way.',
    );
  }
  const rowOf = new Map(folds.individuals.map((name, row) => [name, row]));
  const partnerOf = new Map(both.map(({ left, right }) => [left, right]));
  const rows = samples.map((name) => rowOf.get(partnerOf.get(name) ?? '') ?? -1);
  return folds.repetitions.map((fold) => Int32Array.from(rows, (row) => (row < 0 ? 0 : fold[row])));
}

/** Given folds as the cross-validation takes them; individuals without value take no part. */
export function givenFolds(repetitions: readonly Int32Array[], y: Float64Array): Folds {
  const assignment = new Int32Array(repetitions.length * y.length);
  let folds = 0;
  for (const [r, fold] of repetitions.entries()) {
    for (let i = 0; i < y.length; i++) {
      if (Number.isNaN(y[i])) continue;
      assignment[r * y.length + i] = fold[i];
      folds = Math.max(folds, fold[i]);
    }
  }
  return { individuals: y.length, repetitions: repetitions.length, folds, assignment };
}

/** Folds of the individuals that take part in at least one repetition. */
export function tableOf(folds: Folds, samples: readonly string[]): FoldsTable {
  const foldOf = (i: number, r: number) => folds.assignment[r * folds.individuals + i];
  const repetitions = Array.from({ length: folds.repetitions }, (_, r) => r);
  const rows = Array.from(samples.keys()).filter((i) => repetitions.some((r) => foldOf(i, r) > 0));
  return {
    individuals: rows.map((i) => samples[i]),
    repetitions: repetitions.map((r) => Int32Array.from(rows, (i) => foldOf(i, r))),
  };
}
