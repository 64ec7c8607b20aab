import type { FileProblem } from '@heterosis/file-formats/problem';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { readPedigree } from '@heterosis/file-formats/tables/pedigree/read-pedigree';
import type { TableMapping } from '@heterosis/file-formats/tables/text/table-mapping';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { openFileSource } from '../inputs/byte-source.ts';
import { FileRefused } from '../inputs/open-genotype.ts';

/**
 * Reads a pedigree file from disk, with its columns as `mapping` says, see `readPedigree`. Throws FileRefused with the
 * problems of a bad file.
 */
export async function openPedigree(
  path: string,
  context: AnalysisContext,
  mapping: TableMapping = {},
): Promise<{ table: PedigreeTable; problems: readonly FileProblem[] }> {
  const source = await openFileSource(path);
  try {
    reportProgress(context, 'read', 0, source.size);
    const { table, report } = await readPedigree(source, {
      mapping,
      ...(context.signal === undefined ? {} : { signal: context.signal }),
    });
    if (table === null) throw new FileRefused(path, report.problems);
    return { table, problems: report.problems };
  } finally {
    await source.close();
  }
}
