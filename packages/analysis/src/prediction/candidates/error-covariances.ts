import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { createErrorCovariance } from '@heterosis/statgen/genomic-prediction/candidate-reliability';
import { type Matrix, selectRowsAndColumns, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import type { AnalysisContext } from '../../context.ts';
import { matchMarkers } from '../../inputs/match-markers.ts';
import { fittedKernel, isKernelFit } from '../kernels/kernel-models.ts';
import type { TrainedModel, TraitFit } from '../trained-model.ts';
import {
  type KinshipParts,
  kinshipParts,
  observedIn,
  type PanelIndividuals,
  reliabilityModel,
  trainingPanel,
} from './candidate-reliability.ts';
import { knownRecords, togetherErrors } from './predict-together.ts';

/** Individuals whose covariance is given, and operations of their kinships. */
const MOST_TOGETHER = 2_000;
const MOST_OPERATIONS = 1e11;

/**
 * Covariance of the prediction errors of the breeding values of all individuals of a panel, k × k a trait, from the
 * training genotypes; those of the training are individuals like others. Null where it would take more than seconds
 * (O((n + k)²m)) or cannot be given: of sampled effects, and without kinships by markers.
 *
 * @throws AnalysisError `predictions/not-the-training-genotype`, and of `knownRecords`
 */
export async function errorCovariances(
  input: {
    model: TrainedModel;
    training: GenotypePanel;
    panel: GenotypePanel;
    /** Records of the individuals predicted, for a model of several traits together. */
    known?: PhenotypeTable;
  },
  context: AnalysisContext,
): Promise<Matrix[] | null> {
  const { model, panel, known } = input;
  const fits = model.traits.flatMap(({ fit }) => fit ?? []);
  const count = panel.samples.length;
  const size = model.individuals.length + count;
  if (model.kinshipFrom !== 'markers' || fits.length === 0) return null;
  if (fits.some(({ sampling }) => sampling !== undefined)) return null;
  if (count > MOST_TOGETHER || size > 2 * MOST_TOGETHER || size ** 2 * model.markers.id.length > MOST_OPERATIONS)
    return null;
  setComputeThreads(context.threads);
  const match = matchMarkers(model.markers, panel.markers);
  if (model.multiTrait !== undefined) {
    const records = known === undefined ? null : knownRecords(model, panel.samples, known);
    return await togetherErrors({ ...input, figures: model.multiTrait, fits, match, known: records }, context);
  }
  const training = trainingPanel(model, input.training);
  const further = { panel, match, individuals: Int32Array.from(panel.samples.keys()) };
  return await errorsOneByOne({ model, fits, training, further }, context);
}

async function errorsOneByOne(
  {
    model,
    fits,
    training,
    further,
  }: { model: TrainedModel; fits: readonly TraitFit[]; training: PanelIndividuals; further: PanelIndividuals },
  context: AnalysisContext,
): Promise<Matrix[]> {
  const candidates = { ...further, individuals: new Int32Array(0) };
  const places = further.individuals.map((i) => model.individuals.length + i);
  const results: Matrix[] = [];
  let shared: KinshipParts | undefined;
  for (const fit of fits) {
    const seen = observedIn(fit);
    const observed = model.settings.dominance ? seen : null;
    const parts = shared ?? (await kinshipParts({ model, observed, training, candidates, further }, context));
    if (observed === null) shared = parts;
    const kernels = isKernelFit(fit)
      ? [fittedKernel(fit.kernel, parts, model.individuals.length).among]
      : parts.kernels;
    const among = (rows: Int32Array, columns: Int32Array) =>
      kernels.map((kernel) => selectRowsAndColumns(kernel, rows, columns));
    const covarianceOf = createErrorCovariance(reliabilityModel(fit, kernels));
    results.push(covarianceOf(among(seen, places), among(places, places), [0]));
  }
  return results;
}
