import type { Queryable } from '../../platform/database/database.ts';
import { type FileRow, findFile } from './files.queries.ts';

/** Genotype and phenotype that a run was started on. */
export interface InputFiles {
  genotype: FileRow;
  phenotype: FileRow;
}

/** Undefined when one of the two was deleted. */
export async function findInputFiles(
  db: Queryable,
  run: { project_id: string; genotype_id: string | null; phenotype_id: string | null },
): Promise<InputFiles | undefined> {
  const { project_id, genotype_id, phenotype_id } = run;
  const genotype = genotype_id === null ? undefined : await findFile(db, project_id, genotype_id);
  const phenotype = phenotype_id === null ? undefined : await findFile(db, project_id, phenotype_id);
  return genotype === undefined || phenotype === undefined ? undefined : { genotype, phenotype };
}

/** SHA-256 of the originals by role, for the provenance of a run. */
export const inputHashes = (inputs: Readonly<Record<string, FileRow>>): Record<string, string> =>
  Object.fromEntries(Object.entries(inputs).flatMap(([role, { sha256 }]) => (sha256 === null ? [] : [[role, sha256]])));
