import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import { defaultPriors, type SamplerModel } from '@heterosis/statgen/sampler/effect-priors';
import type { PooledChains } from '@heterosis/statgen/sampler/pool-chains';
import { samplerBytes, samplerMarkers } from '@heterosis/statgen/sampler/sampler-markers';
import { type AnalysisContext, AnalysisError } from '../../context.ts';
import { usableMemoryMb } from '../../engine/machine-rates.ts';
import { gigabytes } from '../../engine/plan-engine.ts';
import { type ChainLengths, runChains } from './chains.ts';

/** What a model by sampling is asked for. */
export interface SamplingChoice extends ChainLengths {
  model: SamplerModel;
}

export interface SampledTrait {
  pooled: PooledChains & { isEarly: boolean };
  /** Mean of the values. */
  mean: number;
  /** Value = intercept + Σ count·effect. */
  intercept: number;
  /** By individual of the panel: posterior mean of the value, its standard deviation; NaN for those not asked for. */
  gebv: Float64Array;
  gebvSd: Float64Array;
  /** Places in the panel of those with a value. */
  valued: Int32Array;
}

/** Values above these are another answer than the chains' own. */
export const LIMITS = { leastCycles: 100 };

/**
 * Samples the marker effects of one trait.
 *
 * @param y by individual of the panel, NaN where unknown
 * @param predicted places of individuals without a value whose values are sampled too
 * @throws AnalysisError `sampler/too-few-cycles`, `analysis/does-not-fit`; StatgenError of the priors
 */
export async function sampleTrait(
  { markers, y, predicted }: { markers: PackedMarkers; y: Float64Array; predicted: Int32Array },
  { model, ...lengths }: SamplingChoice,
  { memoryMb = usableMemoryMb(), onCycles }: { memoryMb?: number; onCycles?: (done: number, total: number) => void },
  context: AnalysisContext,
): Promise<SampledTrait> {
  requireCycles(lengths);
  const valued = Int32Array.from(y.keys()).filter((i) => !Number.isNaN(y[i]));
  const size = { n: valued.length, candidates: predicted.length, m: markers.m };
  requireMemory(size, lengths.chains, memoryMb);
  const values = Float64Array.from(valued, (i) => y[i]);
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const coded = samplerMarkers(markers, valued, predicted);
  const priors = defaultPriors(model, {
    variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1),
    markerVariance: coded.squares.reduce((sum, square) => sum + square, 0) / n,
    m: markers.m,
  });
  const pooled = await runChains({ markers: coded, priors, values }, lengths, context, onCycles);
  const gebv = new Float64Array(y.length).fill(Number.NaN);
  const gebvSd = new Float64Array(y.length).fill(Number.NaN);
  for (const [k, i] of [...valued, ...predicted].entries()) {
    gebv[i] = mean + pooled.genetic[k];
    gebvSd[i] = pooled.geneticSd[k];
  }
  const intercept = coded.means.reduce((rest, own, j) => rest - own * pooled.effect[j], mean);
  return { pooled, mean, intercept, gebv, gebvSd, valued };
}

/** @throws AnalysisError `sampler/polyploids` */
export function requireDiploids(panel: GenotypePanel): void {
  const ploidy = ploidyOf(panel);
  if (ploidy === 2) return;
  throw new AnalysisError(
    'sampler/polyploids',
    `Models by sampling are of diploids, and the genotype has ploidy ${ploidy}.`,
    'Take --model rrblup, which knows polyploids.',
    { ploidy },
  );
}

function requireCycles({ cycles, burnIn }: Pick<ChainLengths, 'cycles' | 'burnIn'>): void {
  if (cycles - burnIn >= LIMITS.leastCycles) return;
  throw new AnalysisError(
    'sampler/too-few-cycles',
    `Of ${cycles} cycles with a burn-in of ${burnIn}, ${Math.max(0, cycles - burnIn)} are left, and ${LIMITS.leastCycles} are the least that say anything.`,
    'Ask for more --cycles, or a shorter --burn-in.',
    { cycles, burn_in: burnIn },
  );
}

function requireMemory(size: { n: number; candidates: number; m: number }, chains: number, memoryMb: number): void {
  const bytes = samplerBytes(size);
  const neededMb = (bytes.shared + chains * bytes.chain) / 2 ** 20;
  if (neededMb <= memoryMb && bytes.chain < 2 ** 32) return;
  throw new AnalysisError(
    'analysis/does-not-fit',
    `${chains} chains of ${size.m} markers and ${size.n + size.candidates} individuals need ${gigabytes(neededMb)} of memory, a chain at most 4 GB, and this machine has ${gigabytes(memoryMb)}.`,
    'Use fewer chains or markers, or a machine with more memory.',
    { memory_mb: Math.round(neededMb), machine_mb: Math.round(memoryMb) },
  );
}
