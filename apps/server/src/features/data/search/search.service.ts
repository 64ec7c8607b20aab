import type { FoundThings } from '@heterosis/contracts/data/search';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { searchApi } from '@heterosis/contracts/endpoints/data/search';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { ofProject } from '../germplasm/index.ts';
import { findByName } from './search.queries.ts';

/** Files, folders, runs, trials and germplasm of a project by name. */
export async function searchProject(
  { services: { db }, access }: ProjectCall,
  { query: { search } }: InputOf<typeof searchApi.searchProject>,
): Promise<FoundThings> {
  const { scope } = await ofProject(db, access);
  return { data: await findByName(db, { projectId: access.projectId, scope }, search) };
}
