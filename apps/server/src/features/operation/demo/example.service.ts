import type { AnswerOf } from '@heterosis/contracts/endpoint';
import type { exampleApi } from '@heterosis/contracts/endpoints/operation/example';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { upload } from './demo-files.ts';

/** The maize panel of the demo: what a first project can be tried with. */
const EXAMPLE = [
  ['genotypes.vcf.gz', 'GENOTYPE'],
  ['phenotypes.csv', 'PHENOTYPE'],
  ['genotypes_phased.vcf.gz', 'GENOTYPE'],
  ['crosses.csv', 'CROSSING_TABLE'],
  ['pedigree.csv', 'PEDIGREE'],
] as const;

/** Copies the example into a project of the caller, through the same steps as an upload. */
export async function copyExample({
  services,
  principal,
  access,
}: ProjectCall): Promise<AnswerOf<typeof exampleApi.copyExample>> {
  const file_ids: string[] = [];
  for (const [name, fileType] of EXAMPLE) file_ids.push(await upload(services, { principal, access }, name, fileType));
  return { file_ids };
}
