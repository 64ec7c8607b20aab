import type { ProgrammeSearch as Search } from '@heterosis/analysis/programmes/optimise-programme';
import { type ProgrammeSearch, schemeAt, searchPlan } from '@heterosis/contracts/work/programmes/programme-optimum';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';

/** A search as its request says it. */
export interface SearchInput {
  scheme: ProgrammeScheme;
  search: ProgrammeSearch;
  founders: number;
  seed: number;
}

/** The same as the library takes it. */
export function openSearch({ scheme, search, founders, seed }: SearchInput): Search {
  const { gain, diversity, replicates } = search;
  return {
    plan: searchPlan(scheme, search, { founders, seed }),
    objectives: diversity === undefined ? [gain] : [gain, diversity],
    replicates,
    schemeAt: (allocation) => schemeAt(scheme, search, allocation),
  };
}
