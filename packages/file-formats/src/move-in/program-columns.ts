import type { ProblemCollector } from '../problem.ts';
import { headerKey } from '../tables/text/cell-values.ts';
import type { TableColumn } from '../tables/text/table-head.ts';
import type { MappedTable, TableLayout } from '../tables/text/table-mapping.ts';
import { layoutOfHeader, type MadeOf, REASONS, type Reason, reasonToLeave } from './layouts.ts';

/** What a table of another program has to become to be read as one of ours. */
const READ_AS: Partial<Record<MadeOf, MappedTable>> = { phenotypes: 'PHENOTYPE', germplasm: 'GERMPLASM' };

const PLOT = ['plot', 'plant'];

export interface ReadHeader {
  layout: TableLayout | undefined;
  /** All sheets of the workbook. */
  sheets: readonly string[];
  headerLine: number;
  problems: ProblemCollector;
}

/**
 * The columns of a table whose header another program writes, under the keys of ours and without those that mean
 * nothing here; I-PROGRAM tells of them. Columns to which a person gave roles, and those of all other tables, are given
 * back as they are.
 */
export function columnsByProgram(
  columns: TableColumn[],
  { layout: ours, sheets, headerLine, problems }: ReadHeader,
): TableColumn[] {
  if (ours === undefined || ours.mapping?.roles !== undefined) return columns;
  const layout = layoutOfHeader(
    columns.map(({ name }) => name),
    sheets,
  );
  if (layout === undefined || READ_AS[layout.becomes] !== ours.table) return columns;
  const oursOf = new Map(layout.columns.map(([theirs, name]) => [headerKey(theirs), headerKey(name)]));
  const left = new Map<Reason, string[]>();
  const ofLines = new Set((layout.lines ?? []).map(([theirs]) => headerKey(theirs)));
  const taken = new Set<string>();
  const kept = columns.flatMap((column): TableColumn[] => {
    const told = reasonToLeave(layout, column.name);
    // Plots keep their names, as in all files.
    if (told === 'plotName' || PLOT.includes(oursOf.get(column.key) ?? '')) return [column];
    const reason = told ?? (ofLines.has(column.key) && !oursOf.has(column.key) ? 'line' : undefined);
    if (reason !== undefined) {
      left.set(reason, [...(left.get(reason) ?? []), column.name]);
      return [];
    }
    const key = oursOf.get(column.key);
    // The second of two columns for one of ours keeps its own header.
    if (key === undefined || taken.has(key)) return [column];
    taken.add(key);
    return [{ ...column, key }];
  });
  const reasons = [...left].map(([reason, names]) => `${names.join(', ')} (${REASONS[reason]})`);
  problems.info('I-PROGRAM', {
    line: headerLine,
    value: `${layout.program}: ${layout.name}`,
    message: `This is from ${layout.program}: ${layout.name}.${reasons.length === 0 ? '' : ` Not read are ${reasons.join('; ')}.`}`,
    suggestion: 'Nothing to do if this is right; otherwise say what the columns hold.',
  });
  return kept;
}
