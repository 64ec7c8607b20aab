import { BASE_MB } from '@heterosis/analysis/engine/plan-engine';
import { kernelMb } from '@heterosis/analysis/prediction/kernels/kernel-models';
import { SAMPLER_MODELS } from '@heterosis/statgen/sampler/effect-priors';
import { samplerBytes } from '@heterosis/statgen/sampler/sampler-markers';

const MB = 2 ** 20;

/** Memory of models beside GBLUP, in MB; 0 without. */
export function comparedMb(
  models: readonly string[],
  { individuals, observed, markers }: { individuals: number; observed: number; markers: number },
  chains: number,
): number {
  if (models.length === 0) return 0;
  const bytes = samplerBytes({ n: observed, candidates: individuals - observed, m: markers });
  const isAnySampled = models.some((model) => SAMPLER_MODELS.some((own) => own === model));
  const sampled = isAnySampled ? bytes.shared + chains * bytes.chain : 0;
  return Math.ceil(BASE_MB + kernelMb(individuals) + sampled / MB);
}
