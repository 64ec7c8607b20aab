import type { FileDetail, FileProblemRecord } from '@heterosis/contracts/data/files';
import type { ColumnRole, TableMapping } from '@heterosis/contracts/data/table-mapping';

/** A value that may mean "missing", and the columns in which it stands. */
export interface CodeQuestion {
  value: string;
  columns: string[];
}

/** A column that may hold a parent. */
export interface ParentQuestion {
  column: string;
  side: 'female' | 'male';
}

const SIDES: Readonly<Record<string, ParentQuestion['side']>> = { 'E-COL-FEMALE': 'female', 'E-COL-MALE': 'male' };
/** Whether a finding asks if a column holds a parent. */
export const asksForParent = ({ code }: Pick<FileProblemRecord, 'code'>): boolean => Object.hasOwn(SIDES, code);
/** Findings that are settled by saying how dates become numbers. */
const OF_DATES: ReadonlySet<string> = new Set(['W-PH-DATE', 'E-PH-DATE-ORDER', 'E-PH-SOWING', 'W-PH-DATE-FAR']);
/** 01/02/2025 can be two days. */
const MAY_BE_TWO_DAYS = /^\d{1,2}[/-]\d{1,2}[/-]/;

/** What the report of a file asks, each question once. */
export function openQuestions(problems: readonly FileProblemRecord[]): {
  codes: CodeQuestion[];
  parents: ParentQuestion[];
  /** Columns of dates; none when nothing is asked about dates. */
  dates: string[];
  asksOrder: boolean;
} {
  const codes = new Map<string, CodeQuestion>();
  const parents: ParentQuestion[] = [];
  const dates = new Set<string>();
  let asksOrder = false;
  for (const { code, value, column } of problems) {
    const side = SIDES[code];
    if (code === 'E-PH-MISSING-CODE' && value !== null) {
      const known = codes.get(value) ?? { value, columns: [] };
      if (column !== null) known.columns.push(column);
      codes.set(value, known);
    } else if (side !== undefined && value !== null) parents.push({ column: value, side });
    else if (OF_DATES.has(code)) {
      dates.add(column ?? '');
      asksOrder ||= code === 'E-PH-DATE-ORDER' || MAY_BE_TWO_DAYS.test(value ?? '');
    }
  }
  return { codes: [...codes.values()], parents, dates: [...dates].filter((name) => name !== ''), asksOrder };
}

/** The mapping of a file with what is said of some of its columns besides. */
export function withRoles(
  { mapping }: Pick<FileDetail, 'mapping'>,
  told: Readonly<Record<string, ColumnRole>>,
): TableMapping {
  const others = mapping?.columns?.filter(({ name }) => !Object.hasOwn(told, name)) ?? [];
  return { ...mapping, columns: [...others, ...Object.entries(told).map(([name, role]) => ({ name, role }))] };
}
