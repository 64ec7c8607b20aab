import type { InputOf } from '@heterosis/contracts/endpoint';
import type { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import { storedOf } from '@heterosis/contracts/options/define-options';
import { hasMarkerEffects } from '@heterosis/contracts/options/model-types';
import { PREDICTION_OPTIONS } from '@heterosis/contracts/options/predictions';
import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { findFile, requireGenotype, requireReadyFile } from '../../data/files/index.ts';
import { requireExclusions } from '../matching/index.ts';
import { type ModelRow, requireModel, requireSamePloidy, trainedTraits } from '../models/index.ts';
import { createNamedRun } from '../runs/kind/index.ts';
import { predictions } from './prediction.kind.ts';

/** Checks model and genotype before anything is written. */
export async function createPrediction(
  { services, access: { projectId }, principal }: ProjectCall,
  { body }: InputOf<typeof predictionsApi.createRun>,
): Promise<PredictionDetail> {
  const { db } = services;
  const model = await requireModel(db, projectId, body.model_id);
  const traits = trainedTraits(model);
  const genotypeId = body.genotype_id ?? model.genotype_id;
  if (genotypeId === null)
    throw new Problem(
      'models/input-gone',
      'The genotype that this model was trained on was deleted. Choose another genotype file.',
      { invalidParams: [{ name: 'body.genotype_id', reason: 'Choose a genotype file' }] },
    );
  if (!hasMarkerEffects(model.model_type)) await requireTrainingGenotype(services, model);
  const genotype = await requireGenotype(db, projectId, genotypeId);
  await requireSamePloidy(db, model, genotype);
  const known =
    body.phenotype_id == null ? null : await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  if (known !== null) requireKnownRecords(model);
  return await createNamedRun(services, predictions, {
    project_id: projectId,
    name: body.name,
    traits,
    // A prediction uses no random numbers.
    seed: 0,
    parameters: {
      ...storedOf(PREDICTION_OPTIONS, body),
      ...(await requireExclusions(services, genotype, body.exclusions)),
      ...(known === null ? {} : { known: true }),
    },
    genotype_id: genotype.id,
    model_id: model.id,
    phenotype_id: known?.id ?? null,
    created_by: principal.userId,
  });
}

/** A kernel compares lines with those of the training. */
async function requireTrainingGenotype({ db }: Services, { name, project_id, genotype_id }: ModelRow): Promise<void> {
  if (genotype_id !== null && (await findFile(db, project_id, genotype_id)) !== undefined) return;
  throw new Problem(
    'models/input-gone',
    `The model "${name}" predicts by marker distances to the lines of its training, and their genotype was deleted. Restore it from the bin, or train a model again.`,
    { invalidParams: [{ name: 'body.model_id', reason: 'Its genotype was deleted' }] },
  );
}

/** Records of one trait say something of another only by covariances between them. */
function requireKnownRecords({ trait_rows, parameters }: ModelRow): void {
  const refuse = (reason: string): never => {
    throw new Problem('predictions/known-records', reason, {
      invalidParams: [{ name: 'body.phenotype_id', reason: 'Leave it out, or choose another model or file' }],
    });
  };
  const traits = trait_rows.flatMap(({ fit }) => fit?.multi_trait?.traits ?? []);
  if (traits.length === 0) {
    refuse('The traits of this model were fitted one by one, so that known records of one say nothing of the others.');
  }
  if ((parameters.covariates ?? []).length > 0 || (parameters.fixed ?? 0) > 0) {
    refuse('The model has fixed effects beside the mean, which known records would have to be freed from first.');
  }
}
