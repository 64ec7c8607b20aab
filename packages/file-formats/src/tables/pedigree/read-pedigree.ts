import type { ByteSource } from '../../byte-source.ts';
import { normalizeName } from '../../names/normalize-name.ts';
import { MAX_LISTED_PROBLEMS, ProblemCollector, type ProblemReport } from '../../problem.ts';
import type { GermplasmContent, GermplasmRow } from '../germplasm/germplasm-table.ts';
import { parentName, readGermplasm } from '../germplasm/read-germplasm.ts';
import { type Settlement, settleGermplasm } from '../germplasm/settle-germplasm.ts';
import { headerKey } from '../text/cell-values.ts';
import { headersOf } from '../text/header-spellings.ts';
import type { TableMapping } from '../text/table-mapping.ts';
import { descentOf } from './descent.ts';
import type { PedigreeOrigin, PedigreeTable } from './pedigree-table.ts';
import { PurdyError, type PurdyPlant, parsePurdy } from './purdy.ts';

export interface PedigreeReading {
  /** Null when the report has errors. */
  table: PedigreeTable | null;
  report: ProblemReport;
}

const PURDY = headersOf('germplasm', 'purdy');
/** Longest name that is kept as it is; what follows tells apart those that are cut. */
const LONGEST_NAME = 230;

/**
 * Reads a pedigree: a germplasm table (three columns are enough), Helium's one row per parent, or a column of Purdy
 * strings for the rows without parents. Crosses in between that a string contains become individuals named by their own
 * canonical string, so that rows that share a cross share its plant. Parents without a row become founders. Bad
 * content never throws. Rejects when the source cannot be read or `signal` aborts.
 */
export async function readPedigree(
  source: ByteSource,
  options: { signal?: AbortSignal; mapping?: TableMapping } = {},
): Promise<PedigreeReading> {
  const { rows, columns, attributes, header, report } = await readGermplasm(source, { ...options, table: 'PEDIGREE' });
  if (rows === null) return { table: null, report };
  const problems = new ProblemCollector();
  const purdyColumn = attributes.find((name) => PURDY.includes(headerKey(name)));
  if (columns.maternal === undefined && columns.paternal === undefined && purdyColumn === undefined) {
    problems.error('E-COL-MISSING', {
      ...{ line: header?.line ?? null, value: header?.names ?? null },
      message: 'The table has no column of parents.',
      suggestion: 'Name the columns "female" and "male", or one column "pedigree" with strings like A/B//C.',
    });
    return { table: null, report: together(report, problems.report()) };
  }
  const crosses = purdyColumn === undefined ? [] : expandStrings(rows, purdyColumn, problems);
  const settlement = settleGermplasm([...rows, ...crosses], { generateUnknownParents: true, columns });
  const table = pedigreeOf(rows, crosses, settlement, problems);
  const whole = together(together(report, settlement.report), problems.report());
  return { table: whole.totals.errors > 0 ? null : table, report: whole };
}

/** Gives rows without parents those of their Purdy string; returns a row for each cross in between. */
function expandStrings(rows: readonly GermplasmRow[], column: string, problems: ProblemCollector): GermplasmRow[] {
  const crosses = new Map<string, GermplasmRow>();
  const shortNames = new Map<string, string>();
  const shortened = (name: string): string => {
    if (name.length <= LONGEST_NAME) return name;
    let short = shortNames.get(name);
    if (short === undefined) {
      short = `${name.slice(0, LONGEST_NAME)}… (${shortNames.size + 1})`;
      shortNames.set(name, short);
    }
    return short;
  };
  const place = (plant: PurdyPlant, line: number): string | null => {
    const name = shortened(normalizeName(plant.name));
    if (plant.parents === null) return parentName(name);
    if (crosses.has(name)) return name;
    const cross = blankRow(name, line);
    crosses.set(name, cross);
    cross.maternal = place(plant.parents[0], line);
    cross.paternal = place(plant.parents[1], line);
    return name;
  };
  for (const row of rows) {
    const text = row.attributes[column];
    if (text === undefined || row.maternal !== null || row.paternal !== null) continue;
    const plant = parsed(text, row, column, problems);
    if (plant === null) continue;
    if (plant.parents === null) {
      if (plant.name !== row.name) {
        problems.warning('W-PED-NO-CROSS', {
          ...{ line: row.line, column, value: text },
          message: `The pedigree of "${row.name}" names "${text}" and no cross: its parents are taken as unknown.`,
          suggestion: 'Write the cross, or give the parent in a column of its own with the type of cross.',
        });
      }
      continue;
    }
    row.maternal = place(plant.parents[0], row.line);
    row.paternal = place(plant.parents[1], row.line);
  }
  if (crosses.size > 0) {
    problems.info('I-PED-CROSS', {
      value: String(crosses.size),
      message: `${crosses.size} crosses in between, such as "${crosses.keys().next().value}", are created from the pedigree strings.`,
      suggestion: 'Nothing to do.',
    });
  }
  const named = new Set(rows.map(({ name }) => name));
  return [...crosses.values()].filter(({ name }) => !named.has(name));
}

function parsed(text: string, row: GermplasmRow, column: string, problems: ProblemCollector): PurdyPlant | null {
  try {
    return parsePurdy(text);
  } catch (error) {
    if (!(error instanceof PurdyError)) throw error;
    problems.error('E-PED-PURDY', {
      ...{ line: row.line, column, value: text },
      message: `The pedigree "${text}" of "${row.name}" cannot be read: ${error.message}.`,
      suggestion: 'Write crosses as A/B//C/3/D, backcrosses as A*2/B, and close every bracket.',
    });
    return null;
  }
}

const blankRow = (name: string, line: number): GermplasmRow => ({
  ...{ line, name, crop: null, collection: null, maternal: null, paternal: null, synonyms: [], attributes: {} },
  ...{ crossType: null, selfingGenerations: null },
  // "A/B" and "AB" are different plants.
  isDistinct: true,
});

function pedigreeOf(
  rows: readonly GermplasmRow[],
  crosses: readonly GermplasmRow[],
  { rows: settled, founders }: Settlement,
  problems: ProblemCollector,
): PedigreeTable {
  const names: string[] = [];
  const collections: (string | null)[] = [];
  const origins: PedigreeOrigin[] = [];
  const contents: (GermplasmContent | null)[] = [];
  const lines: number[] = [];
  const add = (name: string, origin: PedigreeOrigin, content: GermplasmContent | null, line: number): void => {
    names.push(name);
    collections.push(content?.collection ?? null);
    origins.push(origin);
    contents.push(content);
    lines.push(line);
  };
  for (const [i, row] of [...rows, ...crosses].entries()) {
    const one = settled[i];
    if (one !== undefined && one.action !== 'repeat') {
      add(row.name, i < rows.length ? 'row' : 'cross', one.content, row.line);
    }
  }
  for (const name of founders) add(name, 'founder', null, 0);
  const placeOf = new Map(names.map((name, place) => [name, place]));
  const table: PedigreeTable = {
    ...{ names, collections, origins },
    maternal: new Int32Array(names.length).fill(-1),
    paternal: new Int32Array(names.length).fill(-1),
    selfings: new Float64Array(names.length),
  };
  for (const [i, content] of contents.entries()) {
    if (content === null) continue;
    const place = (parent: string | null): number | null => (parent === null ? null : (placeOf.get(parent) ?? null));
    const descent = descentOf(place(content.maternal), place(content.paternal), content);
    if (descent === null) {
      problems.error('E-PED-CLONE', {
        ...{ line: lines[i] ?? null, value: names[i] ?? null },
        message: `"${names[i]}" is a clone and has two parents.`,
        suggestion: 'A clone has one parent, the plant that it was taken from.',
      });
      continue;
    }
    table.maternal[i] = descent.maternal ?? -1;
    table.paternal[i] = descent.paternal ?? -1;
    table.selfings[i] = descent.selfings;
  }
  return table;
}

function together(first: ProblemReport, second: ProblemReport): ProblemReport {
  const byCode = { ...first.totals.byCode };
  for (const [code, count] of Object.entries(second.totals.byCode)) byCode[code] = (byCode[code] ?? 0) + count;
  const severity = { error: 0, warning: 1, info: 2 };
  return {
    problems: [...first.problems, ...second.problems]
      .sort((a, b) => severity[a.severity] - severity[b.severity])
      .slice(0, MAX_LISTED_PROBLEMS)
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    totals: {
      errors: first.totals.errors + second.totals.errors,
      warnings: first.totals.warnings + second.totals.warnings,
      infos: first.totals.infos + second.totals.infos,
      byCode,
    },
  };
}
