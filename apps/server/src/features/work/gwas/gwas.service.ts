import type { InputOf } from '@heterosis/contracts/endpoint';
import type { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { storedOf } from '@heterosis/contracts/options/define-options';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { resultNames } from '@heterosis/contracts/work/gwas-names';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { requireDiploids } from '../../data/files/index.ts';
import { requireCommonNames, requireExclusions, requireMarkers, requireTraitInputs } from '../matching/index.ts';
import { createNamedRun } from '../runs/kind/index.ts';
import { gwas } from './gwas.kind.ts';

/** Checks files, traits and covariates before anything is written, and refuses files without a name in common. */
export async function createGwas(
  { services, access: { projectId }, principal }: ProjectCall,
  { body }: InputOf<typeof gwasApi.createRun>,
): Promise<GwasDetail> {
  const { name, renames } = body;
  const { genotype, phenotype, traits, covariates, weighing } = await requireTraitInputs(services, projectId, body);
  if (body.dominance) requireDiploids(genotype, 'The test of dominance');
  const excluded = await requireExclusions(services, genotype, body.exclusions);
  const conditions = [...new Set(body.condition_on)];
  await requireMarkers(services, genotype, conditions, 'condition_on');
  const named = await requireCommonNames(services, genotype, phenotype, { ...excluded, renames });
  const { test, fixed, thresh_maf, thresh_callrate, ...parameters } = storedOf(GWAS_OPTIONS, body);
  return await createNamedRun(services, gwas, {
    project_id: projectId,
    name,
    traits,
    furtherRows: resultNames({ ...body, traits }).filter((result) => !traits.includes(result)),
    // Of the permutations; a GWAS uses no other random numbers.
    seed: body.permutations === undefined ? 0 : body.seed,
    parameters: {
      ...parameters,
      ...(conditions.length === 0 ? {} : { condition_on: conditions }),
      ...covariates,
      ...weighing,
      ...named,
      ...excluded,
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
