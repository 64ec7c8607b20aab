import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { createRandomStream } from '../../random/random-stream.ts';
import {
  type GwasNull,
  type NullModel,
  type NullSeries,
  nullFitter,
  startPositions,
  traitSeries,
} from '../prepare-gwas.ts';
import { NO_MARKER, ProfileLikelihood } from '../profile-likelihood.ts';

/** What a marker's test of a permuted trait needs. */
export interface PermutedTrait {
  /** σ²g/(σ²g + σ²e) by REML without marker, and σ²g + σ²e. */
  scoreH2: number;
  scoreVariance: number;
  /** Where WALD and LRT start. */
  starts: { reml: number; ml: number };
  wald: ProfileLikelihood;
  lrt: ProfileLikelihood;
  /** Largest log-likelihood without marker, up to the constant of `lrt`. */
  mlValue: number;
}

/** The permutations of one trait, and its null model in each. */
export interface PermutedTraits {
  /** contrasts × permutations: V⁻¹y at the variances of its own null model, times σ²g + σ²e. */
  weighted: Matrix;
  traits: PermutedTrait[];
}

/**
 * Permutes what the null model leaves of a trait (Abney 2015, Genet Epidemiol 39:249): its contrasts divided by their
 * standard deviations at the REML variances are independent and equally distributed, so their order can be exchanged,
 * fixed effects and kinship notwithstanding. The deviations are then multiplied again, and the variances estimated for
 * each permuted trait as they were for the trait itself. Permutations depend on the seed only.
 */
export function permuteTrait(
  state: GwasNull,
  { rotated: y, scoreH2 }: NullModel,
  series: NullSeries,
  { permutations, seed }: { permutations: number; seed: number },
): PermutedTraits {
  const { n, contrastEigenvalues: d } = state;
  const order = d.length;
  const deviations = d.map((value) => Math.sqrt(1 + scoreH2 * (value - 1)));
  const residual = y.map((value, i) => value / deviations[i]);
  const fit = nullFitter(state);
  const weighted = createMatrix(order, permutations);
  const { scale, remlLogDeterminant, mlLogDeterminant } = series;
  const traits = Array.from({ length: permutations }, (_, b): PermutedTrait => {
    const permuted = createRandomStream(seed, 'permutation', b).shuffle(residual.slice());
    for (let i = 0; i < order; i++) permuted[i] *= deviations[i];
    const model = fit(permuted);
    for (let i = 0; i < order; i++) weighted.data[i + b * order] = permuted[i] / (1 + model.scoreH2 * (d[i] - 1));
    const common = { scale, c: traitSeries(series, d, permuted) };
    const starts = startPositions(scale, { rotated: permuted, ...model });
    const lrt = new ProfileLikelihood({ ...common, logDeterminant: mlLogDeterminant, power: n, reml: false });
    lrt.climb(starts.ml, NO_MARKER, 0, NO_MARKER, 0);
    return {
      ...{ scoreH2: model.scoreH2, scoreVariance: model.scoreVariance, starts, lrt, mlValue: lrt.value },
      wald: new ProfileLikelihood({ ...common, logDeterminant: remlLogDeterminant, power: order - 1, reml: true }),
    };
  });
  return { weighted, traits };
}
