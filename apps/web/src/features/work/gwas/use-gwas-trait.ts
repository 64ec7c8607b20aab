import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { useSearch } from '@tanstack/react-router';

/** The traits with results, and the one whose results are shown: that in the address, or the first. */
export function useGwasTrait(gwas: GwasDetail): { finished: string[]; trait: string | undefined } {
  const { trait: chosen } = useSearch({ strict: false }) as { trait?: string };
  const finished = gwas.traits.filter((trait) => gwas.status[trait] === 'SUCCESS');
  return { finished, trait: finished.find((one) => one === chosen) ?? finished[0] };
}
