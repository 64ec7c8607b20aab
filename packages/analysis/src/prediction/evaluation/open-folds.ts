import type { AnalysisContext } from '../../context.ts';
import { openFileSource } from '../../inputs/byte-source.ts';
import { FileRefused } from '../../inputs/open-genotype.ts';
import { type FoldsTable, readFolds } from './folds.ts';

/** A table of folds on disk. Throws FileRefused with its problems. */
export async function openFolds(path: string, context: AnalysisContext): Promise<FoldsTable> {
  const source = await openFileSource(path);
  try {
    const { folds, report } = await readFolds(source, context.signal);
    if (folds === null) throw new FileRefused(path, report.problems);
    return folds;
  } finally {
    await source.close();
  }
}
