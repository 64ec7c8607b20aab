import { SAMPLER_MODELS } from '@heterosis/statgen/sampler/effect-priors';
import { type ChainLengths, chainsSeconds } from '../sampling/chains.ts';

/** Bandwidths tried in a fold, each a reduction to tridiagonal form and a search for two variances. */
const BANDWIDTHS = 22;
const FACTOR_OF_CUBE = 1.5;
/** Operations a second of small matrices. */
const RATE = 5e9;

const isSampler = (model: string): boolean => SAMPLER_MODELS.some((own) => own === model);

/** A fit with the bandwidth chosen, or given. */
const kernelSeconds = (model: string, n: number): number =>
  ((model === 'gaussian' ? BANDWIDTHS : 1) * FACTOR_OF_CUBE * n ** 3) / RATE;

/** About what a kernel or the chains of a trait take in training, in seconds; 0 for RR-BLUP, planned elsewhere. */
export const trainingSeconds = (
  model: string,
  { observed, markers }: { observed: number; markers: number },
  lengths: Pick<ChainLengths, 'chains' | 'cycles'> & { threads: number },
): number => {
  if (isSampler(model)) return chainsSeconds({ n: observed, m: markers }, lengths);
  return model === 'rrblup' ? 0 : kernelSeconds(model, observed);
};

/** About what models take on the folds of a trait beside the kinship of the markers, in seconds. */
export function comparedSeconds(
  models: readonly string[],
  { observed, markers, folds, repetitions }: { observed: number; markers: number; folds: number; repetitions: number },
  lengths: Pick<ChainLengths, 'chains' | 'cycles'> & { threads: number },
): number {
  const parts = folds * repetitions;
  const n = observed - observed / folds;
  const secondsOf = (model: string): number => {
    if (model === 'gaussian') return parts * kernelSeconds(model, n);
    if (!isSampler(model)) return (2 * observed ** 3) / RATE;
    return parts * chainsSeconds({ n, m: markers }, lengths);
  };
  return models.reduce((sum, model) => sum + secondsOf(model), 0);
}
