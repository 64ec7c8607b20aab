import type { InputOf } from '@heterosis/contracts/endpoint';
import type { modelsApi } from '@heterosis/contracts/endpoints/work/models';
import { storedOf } from '@heterosis/contracts/options/define-options';
import { modelNameOf } from '@heterosis/contracts/options/model-types';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import type { createModelBody, ModelDetail } from '@heterosis/contracts/work/models';
import { SAMPLER_MODELS } from '@heterosis/statgen/sampler/effect-priors';
import type * as z from 'zod';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { ploidyOf, requireDiploids, requireDoubleReduction, requireReadyFile } from '../../data/files/index.ts';
import {
  readGroupColumn,
  requireCommonNames,
  requireExclusions,
  requireMarkers,
  requireTraitInputs,
  weightsOf,
} from '../matching/index.ts';
import { createNamedRun } from '../runs/kind/index.ts';
import { models } from './model.kind.ts';

/** Checks inputs, traits and names before anything is written. */
export async function createModel(
  { services, access: { projectId }, principal }: ProjectCall,
  { body }: InputOf<typeof modelsApi.createRun>,
): Promise<ModelDetail> {
  const { db } = services;
  const { name, renames } = body;
  const { genotype, phenotype, traits, covariates, weighing } = await requireTraitInputs(services, projectId, body);
  const leaveOut = await readGroupColumn(services, phenotype, body.leave_out);
  const pedigree =
    body.pedigree_id == null ? null : await requireReadyFile(db, projectId, body.pedigree_id, 'PEDIGREE');
  if (pedigree !== null) requireSingleStep(body);
  requireDoubleReduction(body.double_reduction, ploidyOf(genotype), pedigree !== null);
  if (body.compared_models.length > 0 || body.model_type !== 'RRBLUP')
    requireComparable(pedigree !== null, weightsOf({ ...body, ...weighing }));
  if (isSampled(body)) requireDiploids(genotype, 'A model by sampling', 'Choose RR-BLUP, which takes polyploids.');
  const excluded = await requireExclusions(services, genotype, body.exclusions);
  const fixedMarkers = [...new Set(body.fixed_markers)];
  await requireMarkers(services, genotype, fixedMarkers, 'fixed_markers');
  const asked = renames === undefined || renames.length === 0 ? {} : { renames };
  const named =
    pedigree === null ? await requireCommonNames(services, genotype, phenotype, { ...excluded, renames }) : asked;
  const { model_type, n_fold, n_repetition, optimize_time, ...parameters } = storedOf(MODEL_OPTIONS, body);
  return await createNamedRun(services, models, {
    project_id: projectId,
    name,
    traits,
    seed: body.seed,
    parameters: {
      ...parameters,
      ...named,
      ...excluded,
      ...covariates,
      ...weighing,
      ...(fixedMarkers.length === 0 ? {} : { fixed_markers: fixedMarkers }),
      ...(leaveOut === undefined ? {} : { leave_out: leaveOut }),
      ...(pedigree === null ? {} : { single_step: true }),
    },
    genotype_id: genotype.id,
    phenotype_id: phenotype.id,
    pedigree_id: pedigree?.id ?? null,
    model_type,
    n_fold,
    n_repetition,
    optimize_time,
    include_dominance_effects: body.dominance_effect,
    created_by: principal.userId,
  });
}

/** Whether the model, or one that it is compared with, is sampled. */
const isSampled = ({ model_type: type, compared_models: others }: z.output<typeof createModelBody>): boolean =>
  [modelNameOf(type), ...others].some((model) => SAMPLER_MODELS.some((own) => own === model));

/** Models are compared by markers alone, with one residual variance of all values. */
function requireComparable(hasPedigree: boolean, weights: ReturnType<typeof weightsOf>): void {
  if (!hasPedigree && weights === 'none') return;
  throw new Problem(
    'models/not-compared',
    hasPedigree
      ? 'Models by kernels, by sampling and models that are compared use markers alone, without a pedigree.'
      : 'Models by kernels, by sampling and models that are compared estimate one residual variance: choose no weights of the values.',
    {
      invalidParams: [
        { name: 'body.compared_models', reason: hasPedigree ? 'Not with a pedigree.' : 'Not with weights.' },
      ],
    },
  );
}

/** Relationships by pedigree are additive, and individuals without genotype have neither components nor markers. */
function requireSingleStep({ dominance_effect, fixed, fixed_markers }: z.output<typeof createModelBody>): void {
  const refuse = (field: keyof z.output<typeof createModelBody>, message: string): never => {
    const invalidParams = [{ name: `body.${field}`, reason: 'Not with a pedigree.' }];
    throw new Problem('models/not-single-step', message, { invalidParams });
  };
  if (dominance_effect) {
    refuse(
      'dominance_effect',
      'A pedigree gives additive relationships, so that a model with a pedigree has no dominance effects.',
    );
  }
  if (fixed > 0) {
    refuse(
      'fixed',
      'Individuals without genotype have no principal components, so that a model with a pedigree takes none.',
    );
  }
  if (fixed_markers.length > 0) {
    refuse(
      'fixed_markers',
      'Individuals without genotype have no markers, so that a model with a pedigree fixes none.',
    );
  }
}
