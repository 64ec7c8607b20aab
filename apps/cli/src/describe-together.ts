import type { MultiTraitFigures } from '@heterosis/analysis/prediction/trained-model';

/** A figure with its standard error, where there is one. */
export function share(value: number, error: number | null | undefined): string {
  return error == null ? value.toFixed(3) : `${value.toFixed(3)} ± ${error.toFixed(3)}`;
}

/** Genetic and residual correlations of traits that were fitted together. */
export function describeTogether(multiTrait: MultiTraitFigures): string[] {
  const { traits, genetic_correlation, residual_correlation, log_likelihood, at_boundary, error_weights, converged } =
    multiTrait;
  const { factors } = multiTrait;
  const pairs = traits.flatMap((first, s) =>
    traits.slice(s + 1).map((second, k) => ({ first, second, s, r: s + 1 + k })),
  );
  return [
    ...pairs.map(({ first, second, s, r }) => {
      const [genetic, residual] = [genetic_correlation, residual_correlation].map((table) => {
        const { value, se } = table[s]?.[r] ?? { value: null, se: null };
        return value === null ? 'unknown (no line has both)' : share(value, se);
      });
      return `${first} and ${second}: genetic correlation ${genetic}, residual ${residual}`;
    }),
    ...(factors === undefined
      ? []
      : traits.map(
          (trait, s) =>
            `${trait}: loadings ${(factors.loadings[s] ?? []).map((one) => Number(one.toPrecision(4))).join(', ')}, specific variance ${Number((factors.specific[s] ?? Number.NaN).toPrecision(4))}`,
        )),
    ...(converged ? [] : ['the search of the covariances did not converge']),
    ...(at_boundary.includes('genetic')
      ? ['the genetic covariances have not full rank: correlations are without standard errors']
      : []),
    ...(at_boundary.includes('residual') ? ['a residual variance ended at its least value'] : []),
    ...(error_weights === null
      ? []
      : ['error variances of lines: relative to each other as their standard errors say']),
    `log-likelihood of the traits together ${log_likelihood.toFixed(4)} (REML, without ½ log|XᵀX|)`,
  ];
}
