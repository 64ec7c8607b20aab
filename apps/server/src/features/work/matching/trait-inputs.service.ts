import type { Services } from '../../../platform/http/app.ts';
import { type FileRow, requireReadyFile } from '../../data/files/index.ts';
import { requireTraits } from './match-files.service.ts';
import { type ChosenCovariates, readCovariates } from './read-covariates.ts';

interface TraitInputs {
  genotype: FileRow;
  phenotype: FileRow;
  traits: string[];
  /** For the stored parameters. */
  covariates: Partial<ChosenCovariates>;
}

/** The files, traits and covariates of an analysis of traits, all of which must be there. */
export async function requireTraitInputs(
  services: Services,
  projectId: string,
  body: ChosenCovariates & { genotype_id: string; phenotype_id: string; traits: readonly string[] },
): Promise<TraitInputs> {
  const { db } = services;
  const genotype = await requireReadyFile(db, projectId, body.genotype_id, 'GENOTYPE');
  const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  const traits = requireTraits(phenotype, body.traits);
  return { genotype, phenotype, traits, covariates: await readCovariates(services, phenotype, traits, body) };
}
