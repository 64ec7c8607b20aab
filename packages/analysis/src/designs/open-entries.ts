import type { FileProblem } from '@heterosis/file-formats/problem';
import { type Entry, readEntries } from '@heterosis/file-formats/tables/entries/read-entries';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { openFileSource } from '../inputs/byte-source.ts';
import { FileRefused } from '../inputs/open-genotype.ts';

/** Reads the list of entries of a design from disk. Throws FileRefused with the problems of a bad file. */
export async function openEntries(
  path: string,
  context: AnalysisContext,
): Promise<{ entries: Entry[]; problems: readonly FileProblem[] }> {
  const source = await openFileSource(path);
  try {
    reportProgress(context, 'read', 0, source.size);
    const { entries, report } = await readEntries(source, context.signal);
    if (entries === null) throw new FileRefused(path, report.problems);
    return { entries, problems: report.problems };
  } finally {
    await source.close();
  }
}
