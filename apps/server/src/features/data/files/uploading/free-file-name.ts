import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { freeName } from '../../../people/projects/index.ts';
import { isFileNameTaken } from '../files.queries.ts';

/**
 * The wanted name of a file that nobody uploads, or the first one like it that is free in its folder:
 * `panel (2).vcf`.
 */
export function freeFileName(
  trx: DatabaseTransaction,
  projectId: string,
  folderId: string | null,
  wanted: string,
): Promise<string> {
  return freeName(wanted, {
    hasEnding: true,
    mark: (k) => ` (${k + 1})`,
    isTaken: (candidate) => isFileNameTaken(trx, { projectId, folderId, name: candidate, but: null }),
  });
}
