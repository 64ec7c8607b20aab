import type { Services } from '../../../platform/http/app.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { type LineValues, requireResultKey } from '../runs/results/index.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';

/** Usefulness of each cross. It has no prediction error variance. */
export async function readCrosses(
  services: Pick<Services, 'db' | 'tables'>,
  projectId: string,
  id: string,
): Promise<LineValues> {
  const run = await getNamedRun(crossingSimulations, services.db, projectId, id);
  const key = requireResultKey('The crossing simulation', run, 'table');
  const units = new Map(
    (await findTraitSettings(services.db, projectId, run.traits)).map((one) => [one.name, one.unit]),
  );
  const traits: LineValues['traits'] = [];
  for (const [t, trait] of run.traits.entries()) {
    const rows = await services.tables.query<LineValues['traits'][number]['rows'][number]>(
      key,
      (table) => `select cross_name as line, usefulness_${t} as value, null as se, null as reliability
        from ${table} order by place`,
    );
    traits.push({ trait, unit: units.get(trait) ?? null, key, what: 'Usefulness of the cross', rows });
  }
  return { run: { id: run.id, name: run.name, created_at: run.created_at }, traits, left_out: [] };
}
