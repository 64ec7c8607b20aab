import type { SamplerPriors } from '@heterosis/statgen/sampler/effect-priors';
import { type ChainSums, emptySums, MarkerChain } from '@heterosis/statgen/sampler/marker-chain';
import type { SamplerMarkers } from '@heterosis/statgen/sampler/sampler-markers';

/** What the thread of a chain is told: cycles to run, or to hand over what it has summed up. */
export type ChainMessage = { cycles: number; isRecorded: boolean } | 'sums';

/** One chain, by itself. */
export interface ChainTask {
  markers: SamplerMarkers;
  priors: SamplerPriors;
  values: Float64Array;
  seed: number;
  chain: number;
}

export interface LocalChain {
  run(cycles: number, isRecorded: boolean): void;
  sums(): ChainSums;
}

export function localChain({ markers, priors, ...task }: ChainTask): LocalChain {
  const chain = new MarkerChain(markers, priors, task);
  const sums = emptySums(markers);
  return {
    run: (cycles, isRecorded) => chain.run(cycles, isRecorded ? sums : undefined),
    sums: () => sums,
  };
}
