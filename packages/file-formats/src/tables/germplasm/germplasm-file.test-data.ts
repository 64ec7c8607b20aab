import type { ByteSource } from '../../byte-source.ts';
import type { ProblemReport } from '../../problem.ts';
import type { CatalogueEntry, GermplasmContent, SettleOptions } from './germplasm-table.ts';
import { readGermplasm } from './read-germplasm.ts';
import { settleGermplasm } from './settle-germplasm.ts';

export type Entry = GermplasmContent & { name: string; line: number | null };

export interface SettledFile {
  /** What would be created or changed, then the founders; null when an error remains. */
  entries: Entry[] | null;
  report: ProblemReport;
}

/** Reads a file and settles its rows, as an upload does. */
export async function settledFile(source: ByteSource, options: SettleOptions = {}): Promise<SettledFile> {
  const { rows, columns, report: ofFile } = await readGermplasm(source);
  if (rows === null) return { entries: null, report: ofFile };
  const { rows: settled, founders, report: ofRows } = settleGermplasm(rows, { ...options, columns });
  const report: ProblemReport = {
    problems: [...ofFile.problems, ...ofRows.problems],
    totals: {
      errors: ofFile.totals.errors + ofRows.totals.errors,
      warnings: ofFile.totals.warnings + ofRows.totals.warnings,
      infos: ofFile.totals.infos + ofRows.totals.infos,
      byCode: { ...ofFile.totals.byCode, ...ofRows.totals.byCode },
    },
  };
  if (report.totals.errors > 0) return { entries: null, report };
  const nothing = { collection: null, maternal: null, paternal: null, synonyms: [], crossType: null };
  return {
    entries: [
      ...settled.flatMap(({ action, line, content, target }, index) =>
        action === 'repeat' ? [] : [{ name: target ?? rows[index]?.name ?? '', ...content, line }],
      ),
      ...founders.map((name) => ({ name, ...nothing, selfingGenerations: null, attributes: {}, line: null })),
    ],
    report,
  };
}

export function entriesOf({ entries, report }: SettledFile): Entry[] {
  if (entries === null) throw new Error(JSON.stringify(report.problems, null, 1));
  return entries;
}

/** A catalogue of names alone, and what else is known of some. */
export const catalogueOf = (
  names: readonly string[],
  known: Record<string, Partial<GermplasmContent>> = {},
): CatalogueEntry[] =>
  names.map((name) => ({
    name,
    collection: null,
    maternal: null,
    paternal: null,
    synonyms: [],
    crossType: null,
    selfingGenerations: null,
    attributes: {},
    ...known[name],
  }));
