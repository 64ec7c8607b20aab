import { memorySource } from '@heterosis/file-formats/byte-source';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { readCrossingTable } from '@heterosis/file-formats/tables/crossing-table/read-crossing-table';
import type { Services } from '../../../platform/http/app.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { crossingPlans } from './crossing-plan.kind.ts';

/** The crosses of a plan in its order; none while it is under way. */
export async function plannedCrosses(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  projectId: string,
  id: string,
): Promise<Pick<Cross, 'female' | 'male'>[]> {
  const { result_keys } = await getNamedRun(crossingPlans, db, projectId, id);
  if (result_keys.crosses === undefined) return [];
  const { crosses } = await readCrossingTable(
    memorySource(await readObject(storage, result_keys.crosses), 'crosses.csv'),
  );
  return crosses ?? [];
}
