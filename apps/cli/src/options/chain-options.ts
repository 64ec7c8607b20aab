import type { ChainLengths } from '@heterosis/analysis/prediction/sampling/chains';

/** Flags of the chains of a model by sampling. */
export interface ChainOptions {
  cycles: number;
  'burn-in': number;
  chains: number;
  'early-stop': boolean;
  seed: number;
}

export const chainLengths = (options: ChainOptions): ChainLengths => ({
  ...{ chains: options.chains, cycles: options.cycles, burnIn: options['burn-in'] },
  ...{ seed: options.seed, earlyStop: options['early-stop'] },
});
