import type { Services } from '../../../platform/http/app.ts';
import { type LineValues, lineValuesOf } from '../line-values/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';

/** Usefulness of each cross. It has no prediction error variance. */
export async function readCrosses(
  services: Pick<Services, 'db' | 'tables' | 'storage'>,
  projectId: string,
  id: string,
): Promise<LineValues> {
  const run = await getNamedRun(crossingSimulations, services.db, projectId, id);
  return await lineValuesOf(services, run, {
    key: requireResultKey('The crossing simulation', run, 'table'),
    what: 'Usefulness of the cross',
    columns: (t) => `cross_name as line, usefulness_${t} as value, null as se, null as reliability`,
  });
}
