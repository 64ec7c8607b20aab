import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { PhenotypeOptions } from '@heterosis/file-formats/tables/phenotype/phenotype-options';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import {
  type PhenotypeReading,
  readPhenotype as readTable,
} from '@heterosis/file-formats/tables/phenotype/read-phenotype';

import { type AnalysisContext, reportProgress } from '../context.ts';
import { openFileSource } from './byte-source.ts';
import { FileRefused } from './open-genotype.ts';

export type { PhenotypeOptions } from '@heterosis/file-formats/tables/phenotype/phenotype-options';

/**
 * Reads and checks a phenotype file; see the reader of file-formats. Never rejects for bad content: the report
 * contains it.
 */
export async function readPhenotype(
  source: ByteSource,
  context: AnalysisContext,
  options: PhenotypeOptions = {},
): Promise<PhenotypeReading> {
  reportProgress(context, 'read', 0, source.size);
  return readTable(source, { ...options, ...(context.signal === undefined ? {} : { signal: context.signal }) });
}

/** Reads a phenotype file from disk. Throws FileRefused with the problems of a bad file. */
export async function openPhenotype(
  path: string,
  context: AnalysisContext,
  options: PhenotypeOptions = {},
): Promise<{ table: PhenotypeTable; reading: PhenotypeReading }> {
  const source = await openFileSource(path);
  try {
    const reading = await readPhenotype(source, context, options);
    if (reading.table === null) throw new FileRefused(path, reading.report.problems);
    return { table: reading.table, reading };
  } finally {
    await source.close();
  }
}
