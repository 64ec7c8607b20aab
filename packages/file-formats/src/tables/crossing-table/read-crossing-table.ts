import type { ByteSource } from '../../byte-source.ts';
import { nameFault, normalizeName } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { askForParents } from '../text/ask-for-parents.ts';
import { headerKey, isMissing } from '../text/cell-values.ts';
import { headersOf } from '../text/header-spellings.ts';
import {
  openTable,
  reportDuplicateColumns,
  reportIgnoredColumns,
  type Table,
  type TableColumn,
} from '../text/read-table.ts';
import { type TableMapping, tableLayout } from '../text/table-mapping.ts';
import { CROSS_TYPES, type Cross, type CrossType, parentsOfCross } from './crossing-table.ts';

export interface CrossingTableOptions {
  /** The file has no header: the first row is a cross too, and columns are identified by position. */
  firstRowIsData?: boolean;
  /** What a person says of the columns. */
  mapping?: TableMapping;
  signal?: AbortSignal;
}

export interface CrossingTableReading {
  /** Each pair of parents once; null when the report has errors. */
  crosses: Cross[] | null;
  report: ProblemReport;
}

const FEMALE = headersOf('crossingTable', 'female');
const MALE = headersOf('crossingTable', 'male');
const PARENT3 = headersOf('crossingTable', 'parent3');
const PARENT4 = headersOf('crossingTable', 'parent4');
const NAME = headersOf('crossingTable', 'name');
const COUNT = headersOf('crossingTable', 'progeny');
const TYPE = headersOf('crossingTable', 'type');

/** Types by spelling: ours and those of others. */
const TYPES = new Map<string, CrossType>([
  ...CROSS_TYPES.map((type): [string, CrossType] => [headerKey(type), type]),
  ['cross', 'biparental'],
  ['single', 'biparental'],
  ['singlecross', 'biparental'],
  // In a wish list of Intercross this column gives the unit in which crosses are counted.
  ['seed', 'biparental'],
  ['fruit', 'biparental'],
  ['flower', 'biparental'],
  ['selfed', 'self'],
  ['selfing', 'self'],
  ['doubledhaploid', 'DH'],
]);
/** Types that a single plant can have; the male parent may then be omitted. */
const SINGLE_PARENT: readonly (CrossType | null)[] = ['self', 'DH'];

/**
 * Reads a crossing table: a column for the female (parent 1), one for the male (parent 2), optionally a third and a
 * fourth parent (three- and four-way crosses, see Cross), name, number of progeny and type (see CrossType). With
 * unknown headers, two columns are female and male; three are name, female and male, or female, male and number if the
 * third holds only numbers (W-CT-COLUMNS asks for confirmation). A cross without a name is named after its parents,
 * `P1_X_P2`. A pair listed twice with one type is kept once. Finds all problems in one pass; bad content never throws.
 * Rejects when the source cannot be read or `signal` aborts.
 */
export async function readCrossingTable(
  source: ByteSource,
  options: CrossingTableOptions = {},
): Promise<CrossingTableReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openTable(source, {
      problems,
      expected: 'a crossing table',
      hasHeader: () => options.firstRowIsData !== true,
      emptyCode: 'E-CT-EMPTY',
      layout: tableLayout('CROSSING_TABLE', options.mapping),
      signal: options.signal,
    });
    reportDuplicateColumns(table.columns, table.headerLine, problems);
    const rows: { line: number; cells: string[] }[] = [];
    const roles = columnRoles(table, problems);
    if (roles !== null) {
      await table.forEachRow((row) => rows.push(row));
      const crosses = readCrosses(rows, roles(rows), problems);
      return { crosses: problems.errorCount > 0 ? null : crosses, report: problems.report() };
    }
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { crosses: null, report: problems.report() };
}

interface Roles {
  /** In order of preference: the first nonempty cell is used. */
  female: TableColumn[];
  male: TableColumn[];
  third: TableColumn[];
  fourth: TableColumn[];
  name: TableColumn | null;
  count: TableColumn | null;
  type: TableColumn | null;
}

type RolesOfRows = (rows: readonly { cells: string[] }[]) => Roles;

const holdsNumbers = ({ index }: TableColumn, rows: readonly { cells: string[] }[]): boolean =>
  rows.every(({ cells }) => isMissing(cells[index]) || /^\d+$/.test(cells[index]));

/** A column "progeny" names the crosses, unless another one does: then it holds the numbers of progeny. */
function numberOfProgeny(
  columns: readonly TableColumn[],
  name: TableColumn | null,
  rows: readonly { cells: string[] }[],
): TableColumn | null {
  const column = columns.find(({ key }) => key === 'progeny');
  return name === null || column === undefined || column === name || !holdsNumbers(column, rows) ? null : column;
}

function columnRoles(table: Table, problems: ProblemCollector): RolesOfRows | null {
  const { columns } = table;
  const all = (spellings: readonly string[]) =>
    spellings.flatMap((spelling) => columns.filter(({ key }) => key === spelling));
  const female = all(FEMALE);
  const male = all(MALE);
  if (female.length > 0 && male.length > 0) {
    const name = all(NAME)[0] ?? null;
    return (rows) => {
      const roles = {
        female,
        male,
        third: all(PARENT3),
        fourth: all(PARENT4),
        name,
        count: all(COUNT)[0] ?? numberOfProgeny(columns, name, rows),
        type: all(TYPE)[0] ?? null,
      };
      const used = [...female, ...male, ...roles.third, ...roles.fourth, roles.name, roles.count, roles.type];
      reportIgnoredColumns(
        columns.filter((column) => !used.includes(column)),
        table.headerLine,
        problems,
      );
      return roles;
    };
  }
  const questions = problems.errorCount;
  askForParents(
    table,
    { female: female.length > 0, male: male.length > 0 },
    columns.filter((column) => !female.includes(column) && !male.includes(column)),
    problems,
  );
  if (problems.errorCount > questions) return null;
  if (female.length + male.length > 0 || columns.length < 2 || columns.length > 3) {
    const lacking = female.length > 0 ? 'the male parent' : male.length > 0 ? 'the female parent' : 'the parents';
    problems.error('E-CT-COLUMNS', {
      line: table.headerLine,
      value: columns.map(({ name }) => name).join(', '),
      message: `The table has no column with ${lacking}.`,
      suggestion: 'Name the columns of the parents "female" and "male".',
    });
    return null;
  }
  return (rows) => {
    const [first, second, third] = columns;
    const isCount = third !== undefined && holdsNumbers(third, rows);
    const [female, male, name, count] =
      third === undefined
        ? [first, second, null, null]
        : isCount
          ? [first, second, null, third]
          : [second, third, first, null];
    problems.warning('W-CT-COLUMNS', {
      line: table.headerLine,
      value: table.isHeaderless ? null : columns.map((column) => column.name).join(', '),
      message: `${table.isHeaderless ? 'The columns have no header' : 'The headers of the parents were not recognised; the first row was taken as the header'}, and the columns by position: ${[
        name === null ? '' : `name ${letterOf(name)}, `,
        `female ${letterOf(female)}, male ${letterOf(male)}`,
        count === null ? '' : `, number of progeny ${letterOf(count)}`,
      ].join('')}.`,
      suggestion:
        'Name the columns "female" and "male", or confirm. If the first row is a cross, choose "treat columns by position".',
    });
    return { female: [female], male: [male], third: [], fourth: [], name, count, type: null };
  };
}

/** The columns that name parents, of a table that {@link readCrossingTable} accepts. */
export function parentColumns(table: Table, rows: readonly { cells: string[] }[]): TableColumn[] {
  const roles = columnRoles(table, new ProblemCollector(0))?.(rows);
  return roles === undefined ? [] : [roles.female, roles.male, roles.third, roles.fourth].flat();
}

function letterOf(column: TableColumn): string {
  return /\(([A-Z]+)\)$/.exec(column.label)?.[1] ?? column.label;
}

function readCrosses(
  rows: readonly { line: number; cells: string[] }[],
  roles: Roles,
  problems: ProblemCollector,
): Cross[] {
  const crosses: Cross[] = [];
  const byPair = new Map<string, Cross>();
  const byName = new Map<string, Cross>();
  for (const { line, cells } of rows) {
    const type = typeOf(cells, roles.type, line, problems);
    const progenyCount = countOf(cells, roles.count, line, problems);
    const female = parentOf(cells, roles.female);
    const male = parentOf(cells, roles.male) || (SINGLE_PARENT.includes(type) ? female : '');
    if (female === '' || male === '') {
      const column = female === '' ? roles.female[0] : roles.male[0];
      problems.error('E-CT-PARENT-MISSING', {
        line,
        column: column.label,
        value: cells[column.index],
        message: `The cross has no ${female === '' ? (male === '' ? 'parents' : 'female parent') : 'male parent'}.`,
        suggestion: 'Fill in both parents. Only the female is needed when the type is "self" or "DH".',
      });
      continue;
    }
    const parent3 = parentOf(cells, roles.third);
    const parent4 = parentOf(cells, roles.fourth);
    if (parent4 !== '' && parent3 === '') {
      problems.error('E-CT-PARENT-MISSING', {
        line,
        column: roles.fourth[0].label,
        value: parent4,
        message: 'The cross has a fourth parent and no third.',
        suggestion: 'Fill in parent3 too for a four-way cross, or move the name there for a three-way cross.',
      });
      continue;
    }
    const parents = [female, male, parent3, parent4].filter((parent) => parent !== '');
    const written = roles.name === null ? '' : normalizeName(cells[roles.name.index]);
    const name = isMissing(written) ? parents.join('_X_') : written;
    const fault = [...parents, name].map(nameFault).find((found) => found !== null) ?? null;
    if (fault !== null) {
      problems.error('E-NAME-INVALID', {
        line,
        value: name,
        message: `${fault}.`,
        suggestion: 'Shorten or correct the name.',
      });
    }
    const cross: Cross = {
      ...{ name, female, male, progenyCount, type: type ?? 'biparental', line },
      ...(parent3 === '' ? {} : { parent3 }),
      ...(parent4 === '' ? {} : { parent4 }),
    };
    if (type === 'self' && (female !== male || parent3 !== '')) {
      problems.error('E-CT-TYPE', {
        line,
        column: roles.type?.label ?? null,
        value: 'self',
        message: `A selfing has one parent, and this row has several: ${parents.map((parent) => `"${parent}"`).join(', ')}.`,
        suggestion: 'Leave the others empty. For the selfed progeny of the cross, write the type F2.',
      });
    }
    if (female === male && (parent3 !== '' || !SINGLE_PARENT.includes(cross.type))) {
      problems.warning('W-CT-SELF', {
        line,
        column: roles.male[0].label,
        value: female,
        message: `"${female}" is crossed with itself.`,
        suggestion: 'Set the type to "self", or "DH" for its doubled haploids, when this is meant.',
      });
    }
    if (!isRepeated(cross, byPair, problems) && !hasTakenName(cross, byName, roles, problems)) crosses.push(cross);
  }
  return crosses;
}

function isRepeated(cross: Cross, byPair: Map<string, Cross>, problems: ProblemCollector): boolean {
  // The same parents with another type are another cross; the key includes their order and the type.
  const key = (...parents: readonly string[]) => [...parents, cross.type].join(KEY_SEPARATOR);
  const parents = parentsOfCross(cross);
  const written = parents.join(' × ');
  const pair = key(...parents);
  const earlier = byPair.get(pair);
  if (earlier !== undefined) {
    problems.warning('W-CT-DUP-PAIR', {
      line: cross.line,
      value: written,
      message: `${written} is already on line ${earlier.line}; it is kept once, as "${earlier.name}".`,
      suggestion: 'Remove the row, or raise the number of progeny of the first.',
    });
    return true;
  }
  byPair.set(pair, cross);
  // Backcrosses favour one parent, so the other direction is a different cross.
  const isSymmetric = parents.length === 2 && cross.female !== cross.male && !cross.type.startsWith('BC');
  const reciprocal = isSymmetric ? byPair.get(key(cross.male, cross.female)) : undefined;
  if (reciprocal !== undefined) {
    problems.warning('W-CT-RECIPROCAL', {
      line: cross.line,
      value: written,
      message: `${written} is the reciprocal of the cross on line ${reciprocal.line}.`,
      suggestion:
        'Remove one of them unless both directions are wanted; their predictions are the same, except in backcrosses.',
    });
  }
  return false;
}

/** Separator of keys: names contain no control characters. */
const KEY_SEPARATOR = '\u0001';

/** Key of a pair of parents. */
export function pairKey(female: string, male: string): string {
  return [female, male].join(KEY_SEPARATOR);
}

function hasTakenName(cross: Cross, byName: Map<string, Cross>, roles: Roles, problems: ProblemCollector): boolean {
  const earlier = byName.get(cross.name);
  if (earlier === undefined) {
    byName.set(cross.name, cross);
    return false;
  }
  problems.error('E-CT-DUP-NAME', {
    line: cross.line,
    column: roles.name?.label ?? null,
    value: cross.name,
    message: `The name "${cross.name}" occurs on line ${earlier.line} and on line ${cross.line} for different crosses.`,
    suggestion: 'Give each cross its own name, or leave the name empty.',
  });
  return true;
}

function parentOf(cells: readonly string[], columns: readonly TableColumn[]): string {
  for (const { index } of columns) {
    const name = normalizeName(cells[index]);
    if (!isMissing(name)) return name;
  }
  return '';
}

function countOf(
  cells: readonly string[],
  column: TableColumn | null,
  line: number,
  problems: ProblemCollector,
): number | null {
  const cell = column === null ? '' : cells[column.index];
  if (column === null || isMissing(cell)) return null;
  const count = /^\+?\d+(?:\.0+)?$/.test(cell) ? Number(cell) : 0;
  if (count >= 1 && count <= MAX_PROGENY) return count;
  problems.error('E-CT-BAD-N', {
    line,
    column: column.label,
    value: cell,
    message: `The number of progeny "${cell}" is not a whole number from 1 to ${groupedNumber(MAX_PROGENY)}.`,
    suggestion: 'Write a whole number, or leave the cell empty.',
  });
  return null;
}

/** Maximum progeny of one cross that a run can simulate. */
const MAX_PROGENY = 10_000_000;

function typeOf(
  cells: readonly string[],
  column: TableColumn | null,
  line: number,
  problems: ProblemCollector,
): CrossType | null {
  const cell = column === null ? '' : cells[column.index];
  if (column === null || isMissing(cell)) return null;
  const type = TYPES.get(headerKey(cell));
  if (type !== undefined) return type;
  problems.error('E-CT-TYPE', {
    line,
    column: column.label,
    value: cell,
    ...(/^(?:bc|backcross)/i.test(cell)
      ? {
          message: `"${cell}" does not say to which parent the F1 is crossed back.`,
          suggestion:
            'Write BC1_female or BC1_male (also BC2, BC3), or BC1_female_DH for doubled haploids from such plants.',
        }
      : {
          message: `The type "${cell}" is not known.`,
          suggestion: `Use one of ${CROSS_TYPES.join(', ')}, or leave the cell empty.`,
        }),
  });
  return null;
}
