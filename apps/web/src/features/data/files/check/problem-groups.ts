import type { FileProblemRecord, LeftOut } from '@heterosis/contracts/data/files';

/** Findings that say the same of a column, or of the file: one row of the report. */
export interface ProblemGroup {
  id: string;
  severity: FileProblemRecord['severity'];
  code: string;
  column: string | null;
  problems: readonly [FileProblemRecord, ...FileProblemRecord[]];
  /** Of all of them, each once. */
  values: string[];
  /** Of all of them, each once, in ascending order; empty when the whole file is meant. */
  lines: number[];
  /** False when each has a sentence of its own, which names its line or its value. */
  isSameSentence: boolean;
}

const SEVERITIES = ['error', 'warning', 'info'] as const;

/** The findings of a file, equal ones together: what blocks the file first, then as they stand in it. */
export function groupProblems(problems: readonly FileProblemRecord[]): ProblemGroup[] {
  const groups = new Map<string, [FileProblemRecord, ...FileProblemRecord[]]>();
  for (const one of problems) {
    // What helps tells a line of averages from numbers with their unit.
    const id = [one.code, one.column ?? '', patternOf(one.message), patternOf(one.suggestion ?? '')].join(' ');
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [one]);
    else group.push(one);
  }
  return [...groups]
    .map(([id, of]): ProblemGroup => {
      const [{ severity, code, column, message }] = of;
      return {
        ...{ id, severity, code, column, problems: of },
        values: [...new Set(of.flatMap(({ value }) => value ?? []))],
        lines: [...new Set(of.flatMap(({ line }) => line ?? []))].sort((a, b) => a - b),
        isSameSentence: of.every((one) => one.message === message),
      };
    })
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** A sentence without the values and numbers that it names. */
const patternOf = (message: string): string => message.replaceAll(/"[^"]*"/g, '""').replaceAll(/\d[\d.,]*/g, '0');

/** Errors of single cells that may as well be empty. */
const OF_CELLS: ReadonlySet<string> = new Set(['E-PH-NOT-NUMBER', 'E-PH-NOT-DATE']);
/** Errors of single rows that the table can do without. */
const OF_ROWS: ReadonlySet<string> = new Set([
  'E-PH-DUP',
  'E-PH-NAME-EMPTY',
  'E-NAME-EMPTY',
  'E-NAME-INVALID',
  'E-ROW-WIDTH',
  'E-LM-POS-MISSING',
  'E-LM-POS-NOT-NUMBER',
  'E-LM-NEGATIVE',
  'E-LM-DUP-ID',
  'E-CT-PARENT-MISSING',
  'E-CT-DUP-NAME',
  'E-CT-BAD-N',
  'E-CT-TYPE',
  'E-GP-NAME-EMPTY',
  'E-GP-DUP-NAME',
  'E-GP-SELF-PARENT',
]);

/** Errors that can be left out of the table together. */
export interface Leavable {
  id: string;
  code: string;
  /** Columns of the cells, as the report calls them; empty where the whole row is wrong. */
  columns: string[];
  values: string[];
  lines: number[];
  /** As `D12`; empty where the whole row is wrong. */
  cells: string[];
}

/** With more choices than these, those of one code become one. */
const MOST_CHOICES = 4;

/**
 * What can be left out so that the rest of the table is imported. Cells of the same rows belong together: a row of
 * averages is wrong in every column.
 */
export function leavables(groups: readonly ProblemGroup[]): Leavable[] {
  const found = groups.flatMap(({ code, column, problems, values, lines }): Leavable[] => {
    if (lines.length === 0) return [];
    if (OF_ROWS.has(code)) return [{ id: code, code, columns: [], values, lines, cells: [] }];
    const letters = lettersOf(column);
    if (!OF_CELLS.has(code) || letters === undefined) return [];
    const cells = problems.flatMap(({ line }) => (line === null ? [] : `${letters}${line}`));
    return [{ id: `${code} ${lines.join(',')}`, code, columns: [column ?? ''], values, lines, cells }];
  });
  const byRows = joined(found, ({ id }) => id);
  return byRows.length > MOST_CHOICES ? joined(byRows, ({ code }) => code) : byRows;
}

function joined(all: readonly Leavable[], keyOf: (one: Leavable) => string): Leavable[] {
  const byKey = new Map<string, Leavable>();
  for (const one of all) {
    const id = keyOf(one);
    const known = byKey.get(id);
    byKey.set(id, {
      id,
      code: one.code,
      columns: distinct(known?.columns, one.columns),
      values: distinct(known?.values, one.values),
      lines: distinct(known?.lines, one.lines).sort((a, b) => a - b),
      cells: distinct(known?.cells, one.cells),
    });
  }
  return [...byKey.values()];
}

const distinct = <Item>(some: readonly Item[] = [], others: readonly Item[]): Item[] => [
  ...new Set([...some, ...others]),
];

/** `Yield (B)` and, of a column without a name, `B`. */
const lettersOf = (label: string | null): string | undefined => /(?:^|\()([A-Z]{1,3})\)?$/.exec(label ?? '')?.[1];

/** What was left out before, and this besides. */
export const leftOutWith = (before: LeftOut | null, lines: readonly number[], cells: readonly string[]): LeftOut => ({
  lines: distinct(before?.lines, lines),
  cells: distinct(before?.cells, cells),
});

const SHOWN = 6;

/** `7, 12, 18`, and of many how many more there are. */
export function firstOf(places: readonly (number | string)[]): { shown: string; more: number } {
  const shown = places.length > SHOWN + 1 ? places.slice(0, SHOWN) : places;
  return { shown: shown.join(', '), more: places.length - shown.length };
}
