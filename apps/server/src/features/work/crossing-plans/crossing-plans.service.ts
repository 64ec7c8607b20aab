import { ADD_TO_PEDIGREE, lackingCandidates } from '@heterosis/analysis/planning/pedigree-tables';
import type { FileType } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { crossingPlansApi } from '@heterosis/contracts/endpoints/work/crossing-plans';
import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingPlanDetail, createCrossingPlanBody } from '@heterosis/contracts/work/crossing-plans';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { hasPairMoments } from '@heterosis/statgen/crossing/rank-pairs';
import { indexShares } from '@heterosis/statgen/mating/standardized-weights';
import type * as z from 'zod';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import {
  type FileRow,
  findFile,
  ploidyOf,
  requireDoubleReduction,
  requireGenotype,
  requireReadyFile,
} from '../../data/files/index.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import {
  type ModelRow,
  requireMarkerEffects,
  requireModel,
  requireSamePloidy,
  trainedTraits,
} from '../models/index.ts';
import { createNamedRun, getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { crossingPlans } from './crossing-plan.kind.ts';
import { type CandidateSource, readKnownNames, readPedigreed } from './plan-candidates.ts';
import { namesAsKnown } from './plan-names.ts';

type Body = z.output<typeof createCrossingPlanBody>;

/** Checks model, files, traits and names before anything is written. */
export async function createCrossingPlan(
  { services, access: { projectId }, principal }: ProjectCall,
  { body }: InputOf<typeof crossingPlansApi.createRun>,
): Promise<CrossingPlanDetail> {
  const { db } = services;
  const model = await requireModel(db, projectId, body.model_id);
  requireMarkerEffects(model);
  const traits = requireTraits(trainedTraits(model), body);
  const optionalFile = async (id: string | null | undefined, type: FileType) =>
    id == null ? undefined : await requireReadyFile(db, projectId, id, type);
  const from = body.candidates_from;
  const genotype = from === 'model' ? undefined : await genotypeOfCandidates(db, projectId, model, body);
  const linkageMap = from === 'model' ? undefined : await optionalFile(body.linkage_map_id, 'LINKAGE_MAP');
  const made = await optionalFile(body.crossing_table_id, 'CROSSING_TABLE');
  const pedigree = await optionalFile(body.pedigree_id, 'PEDIGREE');
  if (from === 'model') requireSingleStep(model, pedigree);
  if (genotype !== undefined) {
    await requireSamePloidy(db, model, genotype);
    if (ploidyOf(genotype) > 2) requirePlannedPolyploids(body);
  }
  const ploidy = await ploidyOfCandidates(db, model, genotype);
  requireDoubleReduction(body.double_reduction, ploidy, pedigree !== undefined);
  const source = { from, model, traits, genotype, pedigree };
  const names = await requireCandidates(services, projectId, source, body);
  if (body.population !== null && !hasPairMoments(body.population))
    throw refused('body.population', 'A plan pairs parents that are alike, and those of a backcross are not.');
  const { name: _, model_id, genotype_id, pedigree_id, linkage_map_id, crossing_table_id, ...parameters } = body;
  return await createNamedRun(services, crossingPlans, {
    project_id: projectId,
    name: body.name,
    traits,
    // A plan uses no random numbers.
    seed: 0,
    parameters: {
      ...parameters,
      ...names,
      ...(Object.keys(body.weights).length > 0 ? {} : await sharesOfProject(db, projectId, traits)),
      low_traits: parameters.low_traits.filter((trait) => traits.includes(trait)),
      kept_traits: parameters.kept_traits.filter((trait) => traits.includes(trait)),
      made_from: [...new Set(parameters.made_from)],
      coancestry: pedigree === undefined ? 'markers' : 'pedigree',
      population: from === 'model' ? null : parameters.population,
      bp_per_cm: linkageMap === undefined ? parameters.bp_per_cm : null,
      ...(ploidy === 2 ? {} : { ploidy }),
      has_made_crosses: made !== undefined,
    },
    model_id: model.id,
    genotype_id: genotype?.id ?? null,
    pedigree_id: pedigree?.id ?? null,
    crossing_table_id: made?.id ?? null,
    linkage_map_id: linkageMap?.id ?? null,
    created_by: principal.userId,
  });
}

/** `GET …/crossing_plans/{id}/tables`. */
export async function getPlanTables(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { id }: InputOf<typeof crossingPlansApi.getPlanTables>,
): Promise<Download> {
  const row = await getNamedRun(crossingPlans, db, projectId, id);
  return { bytes: await readObject(storage, requireResultKey('The crossing plan', row, 'tables')) };
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

/** The index of the project, by which predictions are ranked, for a plan without weights of its own. */
async function sharesOfProject(
  db: Queryable,
  projectId: string,
  traits: readonly string[],
): Promise<{ index_shares?: Record<string, number> }> {
  const settings = await findTraitSettings(db, projectId, traits);
  const shares = indexShares(settings.map(({ weight }) => weight));
  if (shares === undefined) return {};
  return { index_shares: Object.fromEntries(traits.map((trait, t) => [trait, shares[t] ?? 0])) };
}

/** The genotype of the candidates: the one given, or the model's. */
async function genotypeOfCandidates(db: Queryable, projectId: string, model: ModelRow, body: Body): Promise<FileRow> {
  const genotypeId = body.genotype_id ?? model.genotype_id;
  if (genotypeId !== null) return await requireGenotype(db, projectId, genotypeId);
  throw new Problem(
    'models/input-gone',
    'The genotype that this model was trained on was deleted. Choose the genotype file of the candidates.',
    { invalidParams: [{ name: 'body.genotype_id', reason: 'Choose a genotype file' }] },
  );
}

/** Individuals without genotype have breeding values in a single-step model only, and coancestries by pedigree only. */
function requireSingleStep(model: ModelRow, pedigree: FileRow | undefined): void {
  if (model.parameters.single_step !== true)
    throw refused(
      'body.candidates_from',
      `The model "${model.name}" was trained without a pedigree. Choose a single-step model, or a genotype of the candidates.`,
    );
  if (pedigree === undefined)
    throw refused('body.pedigree_id', 'Choose a pedigree file: candidates without genotype are related by it.');
}

/** Of polyploids the F1 is predicted. */
function requirePlannedPolyploids({ population }: Body): void {
  if (population !== null && population !== 'F1')
    throw refused('body.population', 'Of polyploids the F1 of two plants is predicted. Choose F1, or no progeny.');
}

/** Without a genotype of their own, candidates are plants as those that the model was trained on. */
async function ploidyOfCandidates(db: Queryable, model: ModelRow, genotype: FileRow | undefined): Promise<number> {
  const id = model.genotype_id;
  const known = genotype ?? (id === null ? undefined : await findFile(db, model.project_id, id));
  return known === undefined ? 2 : ploidyOf(known);
}

/**
 * The names as the genotype or the model writes them, once all that are named exist, are neither too few nor too many,
 * and are in the pedigree, if there is one.
 */
async function requireCandidates(services: Services, projectId: string, source: CandidateSource, body: Body) {
  const known = await readKnownNames(services, source);
  const names = await namesAsKnown(services.db, projectId, known, body);
  if ('reason' in names) throw refused('body.candidates', names.reason);
  const wanted = names.candidates ?? known;
  const pedigreed = source.pedigree && (await readPedigreed(services, source.pedigree, wanted));
  const isEverybody = body.candidates === null && source.from === 'model';
  if (pedigreed !== undefined && !isEverybody) requireAllInPedigree(wanted, pedigreed);
  const count = isEverybody && pedigreed !== undefined ? pedigreed.size : wanted.length;
  const { min, max } = PLAN_OPTIONS.candidates;
  if (count < min || count > max)
    throw refused(
      'body.candidates',
      `A plan has ${min} to ${groupedNumber(max)} candidates, and these are ${groupedNumber(count)}. Name the best of them.`,
    );
  return names;
}

function requireAllInPedigree(wanted: readonly string[], pedigreed: ReadonlySet<string>): void {
  const missing = wanted.filter((name) => !pedigreed.has(name));
  if (missing.length > 0) throw refused('body.pedigree_id', `${lackingCandidates(missing)} ${ADD_TO_PEDIGREE}`);
}
