import type { Queryable } from '../../../platform/database/database.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { frozenTable } from './frozen-table.ts';
import { listCountedValues } from './observations.queries.ts';
import { listPlots } from './plots.queries.ts';

/** The plots of a trial with the values that count, as a table for people; several open values stand for none. */
export async function trialTable(
  db: Queryable,
  projectId: string,
  { id, name, traits }: { id: string; name: string; traits: readonly string[] },
): Promise<Iterable<string>> {
  const counted = await listCountedValues(db, id);
  const times = Map.groupBy(counted, ({ plot, trait }) => `${plot} ${trait}`);
  const values = counted.filter(({ plot, trait }) => times.get(`${plot} ${trait}`)?.length === 1);
  const settings = await findTraitSettings(db, projectId, traits);
  return frozenTable(name, await listPlots(db, id), { traits: settings, values }).chunks;
}
