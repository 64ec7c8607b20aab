import { fixedMarkersOf } from '@heterosis/analysis/prediction/fixed-markers/fixed-markers';
import type { TrainInput } from '@heterosis/analysis/prediction/train-model';
import type { CommandIo } from '../command.ts';
import { readCovariatesOption } from './covariate-options.ts';
import { engineOf, givenPedigree, readKinshipOption } from './model-options.ts';
import type { TraitSource } from './trait-source.ts';

interface PanelChoices {
  engine: string;
  covariates?: string[] | undefined;
  pedigree?: string | undefined;
  'pedigree-columns'?: string[] | undefined;
  'kinship-file'?: string | undefined;
  'fixed-markers'?: readonly string[] | undefined;
}

type PanelInputs = Pick<
  TrainInput,
  'panel' | 'phenotype' | 'traits' | 'engine' | 'errors' | 'kinshipTable' | 'pedigree' | 'fixedMarkers'
> & { covariates: ReturnType<typeof readCovariatesOption> };

/**
 * Reads what stands beside the traits, so that a mistake there is told before a large genotype is read for nothing, and
 * returns what joins it with the panel: all that `train` and `evaluate` give their analyses alike, beside the options
 * that requests have too.
 */
export async function readPanelInputs(
  options: PanelChoices,
  { phenotype, traits, errors, path }: TraitSource,
  io: CommandIo,
): Promise<(panel: TrainInput['panel']) => Promise<PanelInputs>> {
  const { 'kinship-file': kinshipFile, 'fixed-markers': fixedNames } = options;
  const pedigree = await givenPedigree(options, io);
  const covariates = readCovariatesOption(options.covariates ?? [], phenotype, traits, { path, io });
  return async (panel) => ({
    panel,
    phenotype,
    traits,
    ...engineOf(options),
    ...errors,
    covariates,
    ...(kinshipFile === undefined ? {} : { kinshipTable: await readKinshipOption(kinshipFile, panel.samples, io) }),
    ...(pedigree === undefined ? {} : { pedigree }),
    ...(await fixedMarkersOf(panel, fixedNames)),
  });
}
