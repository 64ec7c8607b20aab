import type { ByteSource } from '../../byte-source.ts';
import { foldName, nameFault, normalizeName } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { headerKey, isMissing } from '../text/cell-values.ts';
import {
  findColumn,
  openTable,
  reportDuplicateColumns,
  reportIgnoredColumns,
  type Table,
  type TableColumn,
} from '../text/read-table.ts';
import type { GermplasmDraft, GermplasmEntry, GermplasmOptions } from './germplasm-table.ts';
import { settleGermplasm } from './settle-germplasm.ts';

export interface GermplasmReading {
  /** Entries in file order, then created founders; null when the report has errors. */
  entries: GermplasmEntry[] | null;
  report: ProblemReport;
}

const keys = (spellings: string): string[] => spellings.split(' ').map(headerKey);
const NAME = keys(
  'name germplasmName germplasm accession_name accessionName ACCENAME accession designation lineName line individual ind progeny_name progeny entry_name',
);
const COLLECTION = keys('collection population populationName family family_name panel group');
const MATERNAL = keys(
  'femaleName maternal maternal_parent mother dam female female_parent female_parent_accession parent1 p1',
);
const PATERNAL = keys(
  'maleName paternal paternal_parent father sire male male_parent male_parent_accession parent2 p2',
);
const SYNONYMS = keys('synonyms synonym synonym(s) aliases alias other_names OTHERNUMB');
const ATTRIBUTES = keys(
  'accessionNumber ACCENUMB gid PUI DOI species origin biologicalStatus source cross_type type entryNo notes note description',
);
const FEMALE_ENTRY = keys('femaleEntryNo');
const MALE_ENTRY = keys('maleEntryNo');
const CROP = keys('crop commonCropName crop_name');
const PARENT = keys('parent parentName');
const PARENT_KIND = keys('parentType parent_type relationship');

const UNKNOWN_PARENTS = new Set(['0', 'unknown', '?', '-1', 'blank']);

/**
 * Reads a germplasm table: name, collection, parents, synonyms and attributes in many spellings; also Helium's one row
 * per parent (child, parent). Rows may be in any order: parents are looked up in the whole file and in the crop's
 * catalogue by the shared name matching. Finds all problems in one pass; bad content never throws. Rejects when the
 * source cannot be read or `signal` aborts.
 */
export async function readGermplasm(source: ByteSource, options: GermplasmOptions = {}): Promise<GermplasmReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openTable(source, { problems, expected: 'a germplasm table', signal: options.signal });
    reportDuplicateColumns(table.columns, table.headerLine, problems);
    const roles = columnRoles(table, problems);
    if (roles !== null) {
      const drafts = await readDrafts(table, roles, options, problems);
      const entries = settleGermplasm(drafts, options, problems);
      return { entries: problems.errorCount > 0 ? null : entries, report: problems.report() };
    }
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { entries: null, report: problems.report() };
}

interface Roles {
  name: TableColumn;
  collection: TableColumn | undefined;
  maternal: TableColumn | undefined;
  paternal: TableColumn | undefined;
  synonyms: TableColumn | undefined;
  crop: TableColumn | undefined;
  entryNo: TableColumn | undefined;
  femaleEntry: TableColumn | undefined;
  maleEntry: TableColumn | undefined;
  /** Helium: one row per parent. */
  parent: TableColumn | undefined;
  parentKind: TableColumn | undefined;
  attributes: TableColumn[];
}

function columnRoles(table: Table, problems: ProblemCollector): Roles | null {
  const pick = (spellings: readonly string[]) => findColumn(table.columns, spellings);
  const name = pick(NAME);
  if (name === undefined) {
    problems.error('E-COL-MISSING', {
      line: table.headerLine,
      value: table.columns.map((column) => column.name).join(', '),
      message: 'The table has no column with the names of the germplasm.',
      suggestion: 'Name it "name".',
    });
    return null;
  }
  const roles: Roles = {
    name,
    collection: pick(COLLECTION),
    maternal: pick(MATERNAL),
    paternal: pick(PATERNAL),
    synonyms: pick(SYNONYMS),
    crop: pick(CROP),
    entryNo: pick(keys('entryNo')),
    femaleEntry: pick(FEMALE_ENTRY),
    maleEntry: pick(MALE_ENTRY),
    parent: pick(PARENT),
    parentKind: pick(PARENT_KIND),
    attributes: table.columns.filter(({ key }) => ATTRIBUTES.includes(key)),
  };
  const used = new Set<TableColumn | undefined>(Object.values(roles).flat());
  reportIgnoredColumns(
    table.columns.filter((column) => !used.has(column)),
    table.headerLine,
    problems,
  );
  return roles;
}

async function readDrafts(
  table: Table,
  roles: Roles,
  options: GermplasmOptions,
  problems: ProblemCollector,
): Promise<Map<string, GermplasmDraft>> {
  const drafts = new Map<string, GermplasmDraft>();
  const cellOf = (cells: string[], column: TableColumn | undefined) =>
    column === undefined ? '' : normalizeName(cells[column.index]);
  await table.forEachRow(({ line, cells }) => {
    const name = cellOf(cells, roles.name);
    const fault = isMissing(name) ? 'The name is empty' : nameFault(name);
    if (fault !== null) {
      problems.error(isMissing(name) ? 'E-GP-NAME-EMPTY' : 'E-NAME-INVALID', {
        line,
        column: roles.name.label,
        value: name,
        message: `${fault}.`,
        suggestion: 'Fill in or correct the name, or remove the row.',
      });
      return;
    }
    const crop = cellOf(cells, roles.crop);
    if (options.crop !== undefined && !isMissing(crop) && foldName(crop) !== foldName(options.crop)) {
      problems.error('E-GP-CROP', {
        line,
        column: roles.crop?.label ?? null,
        value: crop,
        message: `"${name}" belongs to the crop "${crop}", the upload is for "${options.crop}".`,
        suggestion: 'Upload it to a project of its own crop.',
      });
    }
    const collection = cellOf(cells, roles.collection);
    const draft: GermplasmDraft = {
      name,
      collection: isMissing(collection) ? null : collection,
      maternal: parentName(cellOf(cells, roles.maternal)),
      paternal: parentName(cellOf(cells, roles.paternal)),
      synonyms: synonymsOf(cellOf(cells, roles.synonyms), !table.decimalComma),
      attributes: Object.fromEntries(
        roles.attributes.flatMap((column) => {
          const value = cellOf(cells, column);
          return isMissing(value) ? [] : [[column.name, value]];
        }),
      ),
      line,
      femaleEntry: cellOf(cells, roles.femaleEntry),
      maleEntry: cellOf(cells, roles.maleEntry),
      entryNo: cellOf(cells, roles.entryNo),
      maternalColumn: roles.maternal?.label ?? roles.parent?.label ?? null,
      paternalColumn: roles.paternal?.label ?? roles.parent?.label ?? null,
    };
    const earlier = drafts.get(name);
    if (roles.parent !== undefined && roles.maternal === undefined && roles.paternal === undefined) {
      const isMale = /^(?:m|male|paternal|father|sire)$/i.test(cellOf(cells, roles.parentKind));
      const target = earlier ?? draft;
      const parent = parentName(cellOf(cells, roles.parent));
      if (isMale || (target.maternal !== null && target.paternal === null)) target.paternal = parent;
      else if (target.maternal === null) target.maternal = parent;
      else if (parent !== null) reportRepeat(target, draft, roles.name.label, problems);
      drafts.set(name, target);
    } else if (earlier === undefined) {
      drafts.set(name, draft);
    } else if (contentOf(earlier) !== contentOf(draft)) {
      reportRepeat(earlier, draft, roles.name.label, problems);
    }
  });
  const nameOfEntry = new Map<string, string>();
  for (const draft of drafts.values()) if (!isMissing(draft.entryNo)) nameOfEntry.set(draft.entryNo, draft.name);
  for (const draft of drafts.values()) {
    draft.maternal ??= nameOfEntry.get(draft.femaleEntry) ?? null;
    draft.paternal ??= nameOfEntry.get(draft.maleEntry) ?? null;
  }
  return drafts;
}

function reportRepeat(
  earlier: GermplasmDraft,
  repeated: GermplasmDraft,
  column: string,
  problems: ProblemCollector,
): void {
  problems.error('E-GP-DUP-NAME', {
    line: repeated.line,
    column,
    value: repeated.name,
    message: `"${repeated.name}" stands on line ${earlier.line} and on line ${repeated.line} with different content.`,
    suggestion: 'Keep one of the rows, or give the lines different names.',
  });
}

function contentOf({ collection, maternal, paternal, synonyms, attributes }: GermplasmDraft): string {
  return JSON.stringify([collection, maternal, paternal, synonyms, attributes]);
}

function parentName(cell: string): string | null {
  return isMissing(cell) || UNKNOWN_PARENTS.has(cell.toLowerCase()) ? null : cell;
}

/** Synonyms are separated by `;` or `|`; by commas only if the cell was quoted and contains no `;`. */
function synonymsOf(cell: string, splitsAtCommas: boolean): string[] {
  if (isMissing(cell)) return [];
  const separator = /[;|]/.test(cell) ? /[;|]/ : splitsAtCommas ? /,/ : /[;|]/;
  return [...new Set(cell.split(separator).map(normalizeName))].filter((synonym) => !isMissing(synonym));
}
