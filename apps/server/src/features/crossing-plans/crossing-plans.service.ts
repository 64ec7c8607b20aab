import type { CrossingPlanDetail, createCrossingPlanBody } from '@heterosis/contracts/crossing-plans';
import { PLAN_LIMITS } from '@heterosis/contracts/crossing-plans';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { hasPairMoments } from '@heterosis/statgen/crossing/rank-pairs';
import type * as z from 'zod';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { Problem } from '../../platform/http/problem.ts';
import { readObject } from '../../platform/object-storage/stored-panel.ts';
import { readSampleNames, requireReadyFile } from '../files/index.ts';
import { requireModel, trainedTraits } from '../models/index.ts';
import { createNamedRun, getNamedRun, requireResultKey } from '../runs/index.ts';
import { crossingPlans } from './crossing-plan.kind.ts';

type Body = z.output<typeof createCrossingPlanBody>;

/** Checks model, files, traits and names before anything is written. */
export async function createCrossingPlan(
  services: Services,
  { projectId }: ProjectAccess,
  principal: Principal,
  body: Body,
): Promise<CrossingPlanDetail> {
  const { db } = services;
  const model = await requireModel(db, projectId, body.model_id);
  const traits = requireTraits(trainedTraits(model), body);
  const genotypeId = body.genotype_id ?? model.genotype_id;
  if (genotypeId === null)
    throw new Problem(
      'models/input-gone',
      'The genotype that this model was trained on was deleted. Choose the genotype file of the candidates.',
      { invalidParams: [{ name: 'body.genotype_id', reason: 'Choose a genotype file' }] },
    );
  const genotype = await requireReadyFile(db, projectId, genotypeId, 'GENOTYPE');
  const linkageMap =
    body.linkage_map_id == null ? null : await requireReadyFile(db, projectId, body.linkage_map_id, 'LINKAGE_MAP');
  const made =
    body.crossing_table_id == null
      ? null
      : await requireReadyFile(db, projectId, body.crossing_table_id, 'CROSSING_TABLE');
  requireCandidates(await readSampleNames(services.storage, genotype), body);
  if (body.population !== null && !hasPairMoments(body.population))
    throw refused('body.population', 'A plan pairs parents that are alike, and those of a backcross are not.');
  const { name: _name, model_id, genotype_id, linkage_map_id, crossing_table_id, bp_per_cm, ...parameters } = body;
  return await createNamedRun(services, crossingPlans, {
    project_id: projectId,
    name: body.name,
    traits,
    // A plan uses no random numbers.
    seed: 0,
    parameters: {
      ...parameters,
      low_traits: parameters.low_traits.filter((trait) => traits.includes(trait)),
      kept_traits: parameters.kept_traits.filter((trait) => traits.includes(trait)),
      bp_per_cm: linkageMap === null ? bp_per_cm : null,
      has_made_crosses: made !== null,
    },
    model_id: model.id,
    genotype_id: genotype.id,
    crossing_table_id: made?.id ?? null,
    linkage_map_id: linkageMap?.id ?? null,
    created_by: principal.userId,
  });
}

/** `GET …/crossing_plans/{id}/tables`. */
export async function getPlanTables(
  { db, storage }: Services,
  { projectId }: ProjectAccess,
  id: string,
): Promise<Uint8Array> {
  const row = await getNamedRun(crossingPlans, db, projectId, id);
  return await readObject(storage, requireResultKey('The crossing plan', row, 'tables'));
}

const refused = (name: string, reason: string): Problem =>
  new Problem('request/invalid', reason, { invalidParams: [{ name, reason }] });

/** The traits of the index, each of which the model must have trained. */
function requireTraits(trained: readonly string[], body: Body): string[] {
  const wanted = [...new Set(body.traits ?? trained)];
  const named = [...wanted, ...body.low_traits, ...body.kept_traits, ...Object.keys(body.weights)];
  const unknown = named.find((trait) => !trained.includes(trait));
  if (unknown !== undefined)
    throw new Problem(
      'crossing/trait-not-trained',
      `The model has no trained trait "${unknown}" here. Its traits are ${trained.join(', ')}.`,
      {
        details: { trait: unknown, traits: trained },
        invalidParams: [{ name: 'body.traits', reason: `There is no "${unknown}"` }],
      },
    );
  if (wanted.length > MAX_TRAITS)
    throw refused(
      'body.traits',
      `An index has at most ${MAX_TRAITS} traits. Choose among the ${wanted.length} of the model.`,
    );
  return wanted;
}

const MAX_TRAITS = 6;

function requireCandidates(samples: readonly string[], body: Body): void {
  const known = new Set(samples);
  const unknown = [...(body.candidates ?? []), ...body.required_pairs.flat()].find((one) => !known.has(one));
  if (unknown !== undefined)
    throw refused('body.candidates', `"${unknown}" is not in the genotype. Write candidates as the genotype does.`);
  const count = body.candidates === null ? samples.length : new Set(body.candidates).size;
  const { min, max } = PLAN_LIMITS.candidates;
  if (count < min || count > max)
    throw refused(
      'body.candidates',
      `A plan has ${min} to ${groupedNumber(max)} candidates, and these are ${groupedNumber(count)}. Name the best of them.`,
    );
}
