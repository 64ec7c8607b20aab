import { agreementOfSums, type ChainAgreement, chainAgreement } from './chain-diagnostics.ts';
import type { ChainSums } from './marker-chain.ts';

/** What several chains say together, by marker and by individual (those with a value first). */
export interface PooledChains {
  chains: number;
  /** After the burn-in, of each chain. */
  cycles: number;
  /** Posterior means, and standard deviations of the effects. */
  effect: Float64Array;
  effectSd: Float64Array;
  /** Posterior inclusion probabilities. */
  inclusion: Float64Array;
  /** Standard deviation of them between chains over the square root of their number; NaN with one chain. */
  inclusionError: Float64Array;
  /** Σ(x − x̄)b: posterior means and standard deviations. */
  genetic: Float64Array;
  geneticSd: Float64Array;
  agreement: {
    residualVariance: ChainAgreement;
    geneticVariance: ChainAgreement;
    /** Null where all markers always are in the model. */
    included: ChainAgreement | null;
    /** The largest R̂ among the genetic values of individuals. */
    geneticRHat: number;
  };
}

/** R̂ up to which chains have met, and effective draws that are enough to stop (Vehtari et al. 2021, section 4). */
const MET = { rHat: 1.01, effectiveSize: 400 };

/** Pools chains of one length. */
export function poolChains(chains: readonly ChainSums[]): PooledChains {
  const cycles = chains[0].cycles;
  const over = (pick: (sums: ChainSums) => Float64Array): Float64Array => {
    const mean = new Float64Array(pick(chains[0]).length);
    for (const sums of chains) {
      const own = pick(sums);
      for (let k = 0; k < mean.length; k++) mean[k] += own[k] / (cycles * chains.length);
    }
    return mean;
  };
  const effect = over((sums) => sums.effect);
  const inclusion = over((sums) => sums.inclusion);
  const genetic = over((sums) => sums.genetic);
  const deviation = (squares: Float64Array, means: Float64Array): Float64Array =>
    squares.map((square, k) => Math.sqrt(Math.max(0, square - means[k] ** 2)));
  const included = chains.map((sums) => sums.included);
  const values = chains.map(({ genetic: sum, geneticSquare: square }) => ({ sum, square, draws: cycles }));
  return {
    ...{ chains: chains.length, cycles, effect, inclusion, genetic },
    effectSd: deviation(
      over((sums) => sums.square),
      effect,
    ),
    inclusionError: inclusion.map((mean, j) => {
      const squares = chains.reduce((sum, own) => sum + (own.inclusion[j] / cycles - mean) ** 2, 0);
      return Math.sqrt(squares / (chains.length - 1) / chains.length);
    }),
    geneticSd: deviation(
      over((sums) => sums.geneticSquare),
      genetic,
    ),
    agreement: {
      residualVariance: chainAgreement(chains.map((sums) => sums.residualVariance)),
      geneticVariance: chainAgreement(chains.map((sums) => sums.geneticVariance)),
      included: included.every((own) => own.every((count) => count === own[0])) ? null : chainAgreement(included),
      geneticRHat: agreementOfSums(values).reduce((most, value) => Math.max(most, value), 1),
    },
  };
}

/** Whether all that is watched has met, and has enough effective draws. */
export function haveMet(pooled: Pick<PooledChains, 'agreement'>): boolean {
  return (
    largestRHat(pooled) <= MET.rHat && watched(pooled).every(({ effectiveSize }) => effectiveSize >= MET.effectiveSize)
  );
}

/** Of all that is watched, the values of individuals among it. */
export function largestRHat(pooled: Pick<PooledChains, 'agreement'>): number {
  return watched(pooled).reduce((most, { rHat }) => Math.max(most, rHat), pooled.agreement.geneticRHat);
}

const watched = ({ agreement }: Pick<PooledChains, 'agreement'>): ChainAgreement[] => [
  ...[agreement.residualVariance, agreement.geneticVariance],
  ...(agreement.included === null ? [] : [agreement.included]),
];
