import type { InputOf } from '@heterosis/contracts/endpoint';
import type { projectTraitsApi } from '@heterosis/contracts/endpoints/people/project-traits';
import type { ProjectTrait, UpdatedTrait } from '@heterosis/contracts/people/traits';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { listProjectTraits, upsertProjectTraits } from './project-traits.queries.ts';

/** `GET …/traits`. */
export async function getTraits({ services, access }: ProjectCall): Promise<{ data: ProjectTrait[] }> {
  return { data: await listProjectTraits(services.db, access.projectId) };
}

/** `PUT …/traits`. */
export async function updateTraits(
  { services, access }: ProjectCall,
  { body }: InputOf<typeof projectTraitsApi.updateTraits>,
): Promise<{ data: ProjectTrait[] }> {
  return { data: await changeTraits(services, access, body.traits) };
}

export async function changeTraits(
  { db }: Pick<Services, 'db'>,
  access: ProjectAccess,
  traits: readonly UpdatedTrait[],
): Promise<ProjectTrait[]> {
  return await db.transaction().execute(async (trx) => {
    await changeTraitsIn(trx, access, traits);
    return await listProjectTraits(trx, access.projectId);
  });
}

/** Within a transaction. A name given twice counts as given last. */
export async function changeTraitsIn(
  trx: Queryable,
  { projectId, organizationId }: Pick<ProjectAccess, 'projectId' | 'organizationId'>,
  traits: readonly UpdatedTrait[],
): Promise<void> {
  const byName = new Map(traits.map((one) => [one.name, one]));
  await upsertProjectTraits(trx, projectId, [...byName.values()]);
  await publishEvent(trx, { type: 'project', id: projectId, project_id: projectId, organization_id: organizationId });
}
