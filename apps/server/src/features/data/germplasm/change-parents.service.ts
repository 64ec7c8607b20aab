import type { CrossType } from '@heterosis/contracts/data/germplasm';
import type { Services } from '../../../platform/http/app.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { publishChanged, requireParent } from './changes.service.ts';
import { findGermplasm, lockCrop, updateGermplasm } from './germplasm.queries.ts';
import { ofOwnOrganization } from './germplasm-access.ts';

/** New parents of one line; what is undefined stays. */
export interface ParentsChange {
  id: string;
  /** Where it stands in the request, for messages. */
  where: string;
  maternalId?: string | null | undefined;
  paternalId?: string | null | undefined;
  crossType?: CrossType | null | undefined;
}

/** Changes the parents of lines of an organization: all or none. The ids are ones that the caller may change. */
export async function changeParents(
  { db }: Pick<Services, 'db'>,
  organizationId: string,
  changes: readonly ParentsChange[],
): Promise<void> {
  const access = ofOwnOrganization(organizationId);
  await db.transaction().execute(async (trx) => {
    const crops = new Set<string>();
    for (const { id } of changes) {
      const row = await findGermplasm(trx, access.scope, id);
      if (row === undefined) throw notFound('This germplasm');
      crops.add(row.crop.id);
    }
    // In one order, so that two requests do not wait for each other.
    for (const cropId of [...crops].sort()) await lockCrop(trx, organizationId, cropId);
    for (const { id, where, maternalId, paternalId, crossType } of changes) {
      const row = await findGermplasm(trx, access.scope, id);
      if (row === undefined) throw notFound('This germplasm');
      const parents = { maternal_id: maternalId, paternal_id: paternalId };
      for (const role of ['maternal_id', 'paternal_id'] as const) {
        const parent = parents[role];
        if (parent != null && parent !== row[role]) await requireParent(trx, access, { row, role, parent, where });
      }
      await updateGermplasm(trx, organizationId, id, {
        ...(maternalId === undefined ? {} : { maternal_id: maternalId }),
        ...(paternalId === undefined ? {} : { paternal_id: paternalId }),
        ...(crossType === undefined ? {} : { cross_type: crossType }),
      });
    }
    await publishChanged(trx, organizationId);
  });
}
