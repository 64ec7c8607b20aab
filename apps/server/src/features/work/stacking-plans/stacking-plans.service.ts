import type { InputOf } from '@heterosis/contracts/endpoint';
import type { stackingPlansApi } from '@heterosis/contracts/endpoints/work/stacking-plans';
import { storedOf } from '@heterosis/contracts/options/define-options';
import { STACK_OPTIONS } from '@heterosis/contracts/options/stacking';
import type { StackingPlanDetail } from '@heterosis/contracts/work/stacking-plans';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import {
  readMarkers,
  readSampleNames,
  requireDiploids,
  requireGenotype,
  requireReadyFile,
} from '../../data/files/index.ts';
import { createNamedRun } from '../runs/kind/index.ts';
import { stackingPlans } from './stacking-plan.kind.ts';

/** Checks parents and targets before anything is written. */
export async function createStackingPlan(
  { services, access: { projectId }, principal }: ProjectCall,
  { body }: InputOf<typeof stackingPlansApi.createRun>,
): Promise<StackingPlanDetail> {
  const { db, storage } = services;
  const genotype = await requireGenotype(db, projectId, body.genotype_id);
  requireDiploids(genotype, 'A stacking plan');
  const linkageMap =
    body.linkage_map_id == null ? null : await requireReadyFile(db, projectId, body.linkage_map_id, 'LINKAGE_MAP');
  const samples = new Set(await readSampleNames(storage, genotype));
  requireKnown('donors', body.donors, { known: samples, what: 'in the genotype' });
  if (body.recurrent !== undefined)
    requireKnown('recurrent', [body.recurrent], { known: samples, what: 'in the genotype' });
  const markers = new Set((await readMarkers(storage, genotype)).id);
  const named = body.targets.map(({ marker }) => marker);
  requireKnown('targets', named, { known: markers, what: 'a marker of the genotype' });
  return await createNamedRun(services, stackingPlans, {
    project_id: projectId,
    name: body.name,
    traits: [],
    seed: body.seed,
    parameters: JSON.stringify(storedOf(STACK_OPTIONS, body)),
    genotype_id: genotype.id,
    linkage_map_id: linkageMap?.id ?? null,
    has_linkage_map: linkageMap !== null,
    created_by: principal.userId,
  });
}

function requireKnown(
  field: string,
  names: readonly string[],
  { known, what }: { known: ReadonlySet<string>; what: string },
): void {
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const reason = `"${unknown}" is not ${what}.`;
  throw new Problem('request/invalid', reason, { invalidParams: [{ name: `body.${field}`, reason }] });
}
