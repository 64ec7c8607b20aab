import type { InputOf } from '@heterosis/contracts/endpoint';
import type { homeApi } from '@heterosis/contracts/endpoints/people/home';
import { type Favourites, HOME_PROJECTS, type Home, MAX_FAVOURITES } from '@heterosis/contracts/people/home';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectCall, SignedInCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { listAllProjects, type OverviewKind, toProject } from '../projects/index.ts';
import {
  countFavouritesLocked,
  deleteFavourite,
  isItemOf,
  listRecentItems,
  listFavourites as listRows,
  upsertFavourite,
  upsertVisit,
} from './personal-items.queries.ts';
import { readCardFacts } from './project-cards.queries.ts';

/** Marks outlive memberships, so whatever is shown is limited to what the person may see now. */
const visibleProjects = (db: Queryable, userId: string) => listAllProjects(db, userId, userId);

export async function readHome({
  services: { db },
  principal: { userId },
  kinds,
}: SignedInCall & { kinds: readonly OverviewKind[] }): Promise<Home> {
  const projects = await visibleProjects(db, userId);
  const latest = projects
    .toSorted((a, b) => b.last_active_at.localeCompare(a.last_active_at) || b.id.localeCompare(a.id))
    .slice(0, HOME_PROJECTS);
  const ids = latest.map(({ id }) => id);
  const facts = await readCardFacts(db, ids, kinds);
  return {
    projects: latest.map((row) => ({
      ...toProject(row),
      ...(facts.get(row.id) ?? { running: 0, last_result: null }),
    })),
    projects_total: projects.length,
    recent: await listRecentItems(
      db,
      userId,
      projects.map(({ id }) => id),
    ),
  };
}

export async function listFavourites({ services: { db }, principal: { userId } }: SignedInCall): Promise<Favourites> {
  const projects = await visibleProjects(db, userId);
  const ids = projects.map(({ id }) => id);
  return { data: await listRows(db, userId, ids, MAX_FAVOURITES) };
}

export async function markFavourite(
  { services: { db }, access: { projectId }, principal: { userId } }: ProjectCall,
  { body: { kind, item_id: itemId, is_favourite } }: InputOf<typeof homeApi.markFavourite>,
): Promise<void> {
  const mark = { userId, projectId, kind, itemId };
  await db.transaction().execute(async (trx) => {
    if (is_favourite) {
      if (!(await isItemOf(trx, mark))) throw notFound('This item');
      if ((await countFavouritesLocked(trx, userId)) >= MAX_FAVOURITES)
        throw new Problem(
          'home/too-many-favourites',
          `You have ${MAX_FAVOURITES} favourites, the most there can be. Take away one of them first.`,
        );
      await upsertFavourite(trx, mark);
    } else await deleteFavourite(trx, mark);
    await publishEvent(trx, {
      type: 'favourite',
      id: itemId,
      project_id: null,
      organization_id: null,
      user_ids: [userId],
    });
  });
}

export async function recordVisit(
  { services: { db }, access: { projectId }, principal: { userId } }: ProjectCall,
  { body: { kind, item_id: itemId } }: InputOf<typeof homeApi.recordVisit>,
): Promise<void> {
  const mark = { userId, projectId, kind, itemId };
  if (!(await isItemOf(db, mark))) throw notFound('This item');
  await upsertVisit(db, mark);
}
