import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { UploadCounts } from '@heterosis/contracts/data/germplasm-uploads';
import type { TableMapping } from '@heterosis/contracts/data/table-mapping';
import type { FileProblem, ProblemReport } from '@heterosis/file-formats/problem';
import type {
  GermplasmColumns,
  GermplasmRow,
  SettledRow,
  SettleOptions,
} from '@heterosis/file-formats/tables/germplasm/germplasm-table';
import { readGermplasm } from '@heterosis/file-formats/tables/germplasm/read-germplasm';
import { type Settlement, settleGermplasm } from '@heterosis/file-formats/tables/germplasm/settle-germplasm';
import { type FirstRows, readFirstRows } from '@heterosis/file-formats/tables/text/first-rows';
import type { ComputeContext, ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { type KeptMapping, keptFor, readAsKept } from '../../../platform/tables/kept-mapping.ts';
import { readerMapping } from '../../../platform/tables/reader-mapping.ts';
import type { StoredEntry } from './catalogue.queries.ts';
import { readAllLines, writeJsonLines } from './json-lines.ts';
import { type RowsToStore, rowsToStore } from './rows-to-store.ts';

/** An uploaded file, and how its columns are read. */
interface SourceFile {
  storage: StorageLocation;
  key: string;
  name: string;
  /** As a person said; null: by what the organization keeps for such a header, else as they are found. */
  mapping: TableMapping | null;
  /** How the organization reads germplasm files, the latest first. */
  kept: KeptMapping[];
}

/** Rows travel as files of one JSON value a line: there may be hundreds of thousands. */
export interface SettleUploadInput {
  /** The file, or the path of the rows that were read from it before. */
  source: SourceFile | { rows: string; columns: GermplasmColumns };
  /** Path of the crop's germplasm, `StoredEntry` each. */
  catalogue: string;
  options: Pick<SettleOptions, 'existing' | 'generateUnknownParents' | 'crop'>;
  /** Whether the rows are to be stored when they have no error. */
  accepts: boolean;
  /** An empty directory for the output. */
  directory: string;
}

/** A row of the review, as it is stored; its content only when it was read now. */
export type ReviewedRow = Omit<SettledRow, 'content'> & { row: GermplasmRow | null };

export interface SettleUploadOutput {
  /** What the file gave; null when the rows were read before. */
  read: { columns: GermplasmColumns; attributes: string[] } | null;
  /** The start of the file and how it was read; null when the rows were read before. */
  layout: { first_rows: FirstRows | null; mapping: TableMapping | null; is_mapping_kept: boolean } | null;
  counts: UploadCounts;
  report: ProblemReport;
  /** Paths of what is to be stored, or of the rows for the review. */
  written: { store: { [Name in keyof RowsToStore]: string } } | { review: string };
}

/**
 * How much the heap may grow between collections, in per cent. By itself it doubles, and then most of it is garbage:
 * 200,000 rows took half as much memory again.
 */
const HEAP_GROWTH = 20;

export const compute: ComputeFunction<SettleUploadInput, SettleUploadOutput> = async (input, context) => {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  try {
    return await settleAndWrite(input, context);
  } finally {
    setFlagsFromString('--heap-growing-percent=0');
  }
};

async function settleAndWrite(input: SettleUploadInput, context: ComputeContext): Promise<SettleUploadOutput> {
  const catalogue = await readAllLines<StoredEntry>(input.catalogue);
  const { rows, columns, attributes, layout, report: ofFile } = await readRows(input, context);
  context.onProgress({ stage: 'match', done: 0, total: rows.length });
  const { report: ofRows, ...settlement } = settleGermplasm(rows, { ...input.options, catalogue, columns });
  const report = ofFile === null ? ofRows : together(ofFile, ofRows);
  const read = attributes === null ? null : { columns, attributes };
  const counts = countsOf(settlement);
  if (!input.accepts || report.totals.errors > 0) {
    const review = join(input.directory, 'review');
    await writeJsonLines(review, reviewedRows(rows, settlement, read !== null));
    return { read, layout, counts, report, written: { review } };
  }
  const store: { [Name in keyof RowsToStore]: string } = { created: '', changed: '', synonyms: '', named: '' };
  for (const [name, values] of Object.entries(
    rowsToStore({ rows, catalogue, settled: settlement.rows, founders: settlement.founders }),
  )) {
    const path = join(input.directory, name);
    await writeJsonLines(path, values);
    store[name] = path;
  }
  return { read, layout, counts, report, written: { store } };
}

interface RowsRead {
  rows: GermplasmRow[];
  columns: GermplasmColumns;
  /** Null when the rows were read before; so is the report. */
  attributes: string[] | null;
  layout: SettleUploadOutput['layout'];
  report: ProblemReport | null;
}

async function readRows({ source }: SettleUploadInput, { signal, onProgress }: ComputeContext): Promise<RowsRead> {
  if ('rows' in source) {
    const rows = await readAllLines<GermplasmRow>(source.rows);
    return { rows, columns: source.columns, attributes: null, layout: null, report: null };
  }
  const file = await openStorageLocation(source.storage).open(source.key, source.name);
  try {
    onProgress({ stage: 'read', done: 0, total: file.size });
    const first = await readFirstRows(file, signal);
    const kept = first === null || source.mapping !== null ? undefined : keptFor(first, 'GERMPLASM', source.kept);
    const mapping = kept?.mapping ?? source.mapping;
    const layout = { first_rows: first && withoutNul(first), mapping, is_mapping_kept: kept !== undefined };
    const { rows, columns, attributes, report } = await readGermplasm(file, {
      signal,
      ...(mapping === null ? {} : { mapping: readerMapping(mapping) }),
    });
    const whole = kept === undefined ? report : together(reportOf(readAsKept(kept)), report);
    return rows === null
      ? { rows: [], columns: {}, attributes: null, layout, report: whole }
      : { rows, columns, attributes, layout, report: whole };
  } finally {
    await file.close();
  }
}

/** PostgreSQL's JSON cannot contain NUL, which damaged files often do. */
const withoutNul = (first: FirstRows): FirstRows =>
  JSON.parse(
    JSON.stringify(first, (_, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '␀') : value)),
  ) as FirstRows;

const reportOf = (info: FileProblem): ProblemReport => ({
  problems: [info],
  totals: { errors: 0, warnings: 0, infos: 1, byCode: { [info.code]: 1 } },
});

function* reviewedRows(
  rows: readonly GermplasmRow[],
  { rows: settled }: Pick<Settlement, 'rows'>,
  hasContent: boolean,
): Generator<ReviewedRow> {
  for (const [index, { line, action, target, changes, severity }] of settled.entries()) {
    const row = hasContent ? (rows[index] ?? null) : null;
    yield { line, action, target, changes, severity, row };
  }
}

function countsOf({ rows, founders }: Omit<Settlement, 'report'>): UploadCounts {
  const counts: UploadCounts = {
    create: 0,
    change: 0,
    same: 0,
    repeat: 0,
    refused: 0,
    founders: founders.length,
    conflicts: 0,
  };
  for (const { action, changes } of rows) {
    counts[action]++;
    if (changes.some(({ from }) => from !== null)) counts.conflicts++;
  }
  return counts;
}

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
