import { compareEvaluations, type EarlierFolds } from '@heterosis/analysis/prediction/evaluation/compare-evaluations';

type Evaluations = readonly Parameters<typeof compareEvaluations>[0][];

/** What `--compare` adds to the result of an evaluation. */
export function comparedWith(
  evaluations: Evaluations,
  earlier: EarlierFolds | undefined,
): { summary: Record<string, unknown>; lines: string[] } {
  if (earlier === undefined) return { summary: {}, lines: [] };
  const comparisons = evaluations.map((evaluation) => compareEvaluations(evaluation, earlier));
  return {
    summary: {
      comparison: comparisons.map(({ standardError, ...comparison }) => ({ ...comparison, se: standardError })),
    },
    lines: comparisons.map(
      ({ trait, difference, standardError, t, degrees, p, folds }) =>
        `${trait}: r minus that of the earlier evaluation ${difference.toFixed(4)} ± ${standardError.toFixed(4)} over ${folds} folds, t = ${t.toFixed(2)} with ${degrees} degrees of freedom, p = ${p.toPrecision(3)} (corrected resampled t-test)`,
    ),
  };
}
