import type { InputOf } from '@heterosis/contracts/endpoint';
import type { projectTraitsApi } from '@heterosis/contracts/endpoints/people/project-traits';
import type { ProjectTrait, UpdatedTrait } from '@heterosis/contracts/people/traits';
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
  { projectId, organizationId }: ProjectAccess,
  traits: readonly UpdatedTrait[],
): Promise<ProjectTrait[]> {
  // A name given twice counts as given last.
  const byName = new Map(traits.map((one) => [one.name, one]));
  return await db.transaction().execute(async (trx) => {
    await upsertProjectTraits(trx, projectId, [...byName.values()]);
    await publishEvent(trx, {
      type: 'project',
      id: projectId,
      project_id: projectId,
      organization_id: organizationId,
    });
    return await listProjectTraits(trx, projectId);
  });
}
