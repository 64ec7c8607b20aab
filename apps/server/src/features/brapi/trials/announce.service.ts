import { Problem } from '../../../platform/http/problem.ts';
import { requireWriting } from '../collecting/write-access.ts';
import type { CollectingServices } from '../collecting/write-collection.ts';
import { type BrapiScope, mayWrite } from '../scope.ts';
import { type AnnouncedName, countAnnounced, insertAnnounced } from './announced.queries.ts';

/** Names that an organization keeps which clients have made known. */
const MOST_NAMES = 5_000;

/** The programs in which the caller may write to a project, or those of them that are named. */
export function programsToWrite({ projects }: BrapiScope, programDbId?: string | null): string[] {
  const ids = projects.filter(mayWrite).map(({ organization_id: id }) => id);
  const wanted = new Set(ids.filter((id) => programDbId == null || programDbId === '' || programDbId === id));
  if (wanted.size > 0) return [...wanted];
  throw new Problem(
    ids.length === 0 ? 'request/not-allowed' : 'request/invalid',
    ids.length === 0
      ? 'There is no project to which you may write. Nothing was saved.'
      : `There is no program "${programDbId}" with a project to which you may write. Nothing was saved.`,
  );
}

/** Makes names known in their organizations, each once, all or none. What is known already stays as it is. */
export async function announce(
  { db }: CollectingServices,
  scope: BrapiScope,
  names: readonly AnnouncedName[],
): Promise<void> {
  const organizations = [...new Set(names.map(({ organization_id: id }) => id))].sort();
  for (const organization of organizations) {
    const project = scope.projects.find((one) => one.organization_id === organization && mayWrite(one));
    await requireWriting({ db }, scope.principal, project?.id ?? '');
  }
  await db.transaction().execute(async (trx) => {
    await insertAnnounced(trx, names, scope.principal.userId);
    for (const organization of organizations)
      if ((await countAnnounced(trx, organization)) > MOST_NAMES)
        throw new Problem(
          'request/conflict',
          `A program keeps at most ${MOST_NAMES} seasons and places that were made known. Name new ones in studies. Nothing was saved.`,
        );
  });
}
