import { AnalysisError } from '@heterosis/analysis/context';
import { requireCovariates } from '@heterosis/analysis/inputs/covariates';
import type { createGwasBody, GwasDetail } from '@heterosis/contracts/gwas';
import type { ProblemCode } from '@heterosis/contracts/problem';
import type * as z from 'zod';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { Problem } from '../../platform/http/problem.ts';
import { type FileRow, readPhenotypeTable, requireReadyFile } from '../files/index.ts';
import { requireCommonNames, requireTraits } from '../matching/index.ts';
import { createNamedRun } from '../runs/index.ts';
import { gwas } from './gwas.kind.ts';
import type { GwasRow } from './gwas.queries.ts';

/** Checks files, traits and covariates before anything is written, and refuses files without a name in common. */
export async function createGwas(
  services: Services,
  { projectId }: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createGwasBody>,
): Promise<GwasDetail> {
  const { db } = services;
  const { name, test, fixed, thresh_maf, thresh_callrate, renames } = body;
  const genotype = await requireReadyFile(db, projectId, body.genotype_id, 'GENOTYPE');
  const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  const traits = requireTraits(phenotype, body.traits);
  const covariates = await readCovariates(services, phenotype, traits, body);
  await requireCommonNames(services, genotype, phenotype, renames);
  return await createNamedRun(services, gwas, {
    project_id: projectId,
    name,
    traits,
    // Nothing in a GWAS is random.
    seed: 0,
    parameters: {
      ...covariates,
      ...(body.dominance ? { dominance: true } : {}),
      ...(renames === undefined || renames.length === 0 ? {} : { renames }),
    },
    genotype_id: genotype.id,
    phenotype_id: phenotype.id,
    test,
    fixed,
    thresh_maf,
    thresh_callrate,
    created_by: principal.userId,
  });
}

/**
 * The covariates by their names in the phenotype file, and the kinds that were chosen. Refuses what is no column of it, says
 * nothing of individuals, or is one of the traits.
 */
async function readCovariates(
  { storage }: Services,
  phenotype: FileRow,
  traits: readonly string[],
  { covariates, covariate_kinds: kinds = {} }: Pick<z.output<typeof createGwasBody>, 'covariates' | 'covariate_kinds'>,
): Promise<Pick<GwasRow['parameters'], 'covariates' | 'covariate_kinds'>> {
  if (covariates.length === 0) return {};
  const choices = covariates.map((name) => ({ name, kind: kinds[name] }));
  try {
    const found = requireCovariates(await readPhenotypeTable(storage, phenotype), choices, traits);
    const chosen = found.filter(({ name }) =>
      choices.some((choice) => choice.kind !== undefined && choice.name.toLowerCase() === name.toLowerCase()),
    );
    return {
      covariates: found.map(({ name }) => name),
      ...(chosen.length === 0
        ? {}
        : { covariate_kinds: Object.fromEntries(chosen.map(({ name, kind }) => [name, kind])) }),
    };
  } catch (error) {
    if (!(error instanceof AnalysisError)) throw error;
    throw new Problem(error.code as ProblemCode, `${error.message} ${error.suggestion}`, {
      cause: error,
      details: error.details,
      invalidParams: [{ name: 'body.covariates', reason: error.message }],
    });
  }
}
