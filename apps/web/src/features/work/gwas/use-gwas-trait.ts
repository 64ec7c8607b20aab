import { type GwasDetail, JOINT_TRAIT } from '@heterosis/contracts/work/gwas';
import { useSearch } from '@tanstack/react-router';

/** The traits with results, and the one whose results are shown: that in the address, or the first. */
export function useGwasTrait(gwas: GwasDetail): { finished: string[]; trait: string | undefined } {
  const { trait: chosen } = useSearch({ strict: false }) as { trait?: string };
  const all = gwas.multi_trait === null ? gwas.traits : [...gwas.traits, JOINT_TRAIT];
  const finished = all.filter((trait) => gwas.status[trait] === 'SUCCESS');
  return { finished, trait: finished.find((one) => one === chosen) ?? finished[0] };
}
