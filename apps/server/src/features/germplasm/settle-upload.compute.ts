import type { ProblemReport } from '@heterosis/file-formats/problem';
import type {
  CatalogueEntry,
  GermplasmColumns,
  GermplasmRow,
  SettleOptions,
} from '@heterosis/file-formats/tables/germplasm/germplasm-table';
import { readGermplasm } from '@heterosis/file-formats/tables/germplasm/read-germplasm';
import { type Settlement, settleGermplasm } from '@heterosis/file-formats/tables/germplasm/settle-germplasm';
import type { ComputeFunction } from '../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../platform/object-storage/storage-location.ts';

export interface SettleUploadInput {
  /** The file, or the rows that were read from it before. */
  source: { storage: StorageLocation; key: string; name: string } | { rows: GermplasmRow[]; columns: GermplasmColumns };
  catalogue: CatalogueEntry[];
  options: Pick<SettleOptions, 'existing' | 'generateUnknownParents' | 'crop'>;
}

export interface SettleUploadOutput {
  /** What the file gave; null when the rows were read before. */
  read: { rows: GermplasmRow[]; columns: GermplasmColumns; attributes: string[] } | null;
  /** Null when the file is no table of germplasm; the report then says why. */
  settlement: Omit<Settlement, 'report'> | null;
  report: ProblemReport;
}

export const compute: ComputeFunction<SettleUploadInput, SettleUploadOutput> = async (
  input,
  { signal, onProgress },
) => {
  const { catalogue, options } = input;
  if ('rows' in input.source) {
    const { rows, columns } = input.source;
    const { report, ...settlement } = settleGermplasm(rows, { ...options, catalogue, columns });
    return { read: null, settlement, report };
  }
  const { storage, key, name } = input.source;
  const source = await openStorageLocation(storage).open(key, name);
  try {
    onProgress({ stage: 'read', done: 0, total: source.size });
    const { rows, columns, attributes, report: ofFile } = await readGermplasm(source, { signal });
    if (rows === null) return { read: null, settlement: null, report: ofFile };
    onProgress({ stage: 'match', done: 0, total: rows.length });
    const { report, ...settlement } = settleGermplasm(rows, { ...options, catalogue, columns });
    return { read: { rows, columns, attributes }, settlement, report: together(ofFile, report) };
  } finally {
    await source.close();
  }
};

/** The findings about the file and those about its rows; the first are few. */
function together(ofFile: ProblemReport, ofRows: ProblemReport): ProblemReport {
  const { totals: a } = ofFile;
  const { totals: b } = ofRows;
  return {
    problems: [...ofFile.problems, ...ofRows.problems],
    totals: {
      errors: a.errors + b.errors,
      warnings: a.warnings + b.warnings,
      infos: a.infos + b.infos,
      byCode: { ...a.byCode, ...b.byCode },
    },
  };
}
