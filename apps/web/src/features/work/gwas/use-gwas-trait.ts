import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { resultNames } from '@heterosis/contracts/work/gwas-names';
import { useSearch } from '@tanstack/react-router';

/** The names of the results that there are, and of the one that is shown: that in the address, or the first. */
export function useGwasTrait(gwas: GwasDetail): { finished: string[]; trait: string | undefined } {
  const { trait: chosen } = useSearch({ strict: false }) as { trait?: string };
  const finished = resultNames(gwas).filter((name) => gwas.status[name] === 'SUCCESS');
  return { finished, trait: finished.find((one) => one === chosen) ?? finished[0] };
}
