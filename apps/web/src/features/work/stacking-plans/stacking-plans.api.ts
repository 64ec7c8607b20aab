import { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { stackingPlansApi } from '@heterosis/contracts/endpoints/work/stacking-plans';
import { MAX_TARGETS } from '@heterosis/contracts/options/stacking';
import type { StackTarget } from '@heterosis/contracts/work/stacking-plans';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateOfWhole } from '../runs/index.ts';

export const stackingPlanRuns = runsOf('stacking_plan', stackingPlansApi, stateOfWhole);

/** GWAS that hits are taken of, the newest first. */
const LISTED = 50;
export const gwasOfProjectQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.runs('gwas', projectId), 'for stacking'],
    queryFn: ({ signal }) => call(gwasApi.listRuns, { project_id: projectId, query: { limit: LISTED } }, { signal }),
  });

/** Markers of a GWAS whose hits were not put together. */
const STRONGEST = 10;
/** Markers among which the first of each clump are sought. */
const READ = 500;

/**
 * The strongest markers of a GWAS, one of each clump, with the alleles that raise the trait. Without clumps the ten
 * with the smallest p.
 */
export async function targetsOfGwas(projectId: string, gwasId: string, trait: string): Promise<StackTarget[]> {
  const { data } = await call(gwasApi.listResults, {
    project_id: projectId,
    id: gwasId,
    query: { trait, sort: 'p', limit: READ },
  });
  const leads = data.filter(({ id, clump }) => clump === id);
  return (leads.length > 0 ? leads.slice(0, MAX_TARGETS) : data.slice(0, STRONGEST)).map(({ id, A1, A2, beta }) => ({
    marker: id,
    allele: (beta ?? 1) > 0 ? A2 : A1,
  }));
}
