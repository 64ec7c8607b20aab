import type { ByteSource } from '../byte-source.ts';
import { ambiguityText, didYouMean } from '../names/match-names.ts';
import { createNameResolver } from '../names/name-resolver.ts';
import { foldName, nameFault, normalizeName } from '../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../problem.ts';
import { headerKey, isMissing } from './cell-values.ts';
import type { GermplasmCatalogue, GermplasmEntry } from './germplasm-table.ts';
import { pedigreeLoops } from './pedigree-loop.ts';
import {
  findColumn,
  openTable,
  reportDuplicateColumns,
  reportIgnoredColumns,
  type Table,
  type TableColumn,
} from './read-table.ts';

export interface GermplasmOptions {
  /** What the crop holds already; empty when left out. */
  catalogue?: GermplasmCatalogue;
  /** Parents that are named nowhere else become founders; otherwise they are errors. */
  generateUnknownParents?: boolean;
  /** Name of the crop the upload is for; a file that names another one is refused. */
  crop?: string;
  signal?: AbortSignal;
}

export interface GermplasmReading {
  /** Entries of the file in its order, then founders that were created; null when the report has errors. */
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
 * Reads a germplasm table: name, collection, parents, synonyms and attributes in many spellings; Helium's one row a parent
 * (child, parent) too. Rows may stand in any order: parents are looked up in the whole file and in the crop's catalogue by the
 * one name resolution. All problems are found in one pass; bad content never throws. Rejects when the source cannot be read or
 * `signal` aborts.
 */
export async function readGermplasm(source: ByteSource, options: GermplasmOptions = {}): Promise<GermplasmReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openTable(source, { problems, expected: 'a germplasm table', signal: options.signal });
    reportDuplicateColumns(table.columns, table.headerLine, problems);
    const roles = columnRoles(table, problems);
    if (roles !== null) {
      const drafts = await readDrafts(table, roles, options, problems);
      const entries = settle(drafts, options, problems);
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
  /** Helium: one row a parent. */
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

/** An entry whose parents are names as written. */
interface Draft extends GermplasmEntry {
  line: number;
  femaleEntry: string;
  maleEntry: string;
  entryNo: string;
  maternalColumn: string | null;
  paternalColumn: string | null;
}

async function readDrafts(
  table: Table,
  roles: Roles,
  options: GermplasmOptions,
  problems: ProblemCollector,
): Promise<Map<string, Draft>> {
  const drafts = new Map<string, Draft>();
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
    const draft: Draft = {
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

function reportRepeat(earlier: Draft, repeated: Draft, column: string, problems: ProblemCollector): void {
  problems.error('E-GP-DUP-NAME', {
    line: repeated.line,
    column,
    value: repeated.name,
    message: `"${repeated.name}" stands on line ${earlier.line} and on line ${repeated.line} with different content.`,
    suggestion: 'Keep one of the rows, or give the lines different names.',
  });
}

function contentOf({ collection, maternal, paternal, synonyms, attributes }: Draft): string {
  return JSON.stringify([collection, maternal, paternal, synonyms, attributes]);
}

function parentName(cell: string): string | null {
  return isMissing(cell) || UNKNOWN_PARENTS.has(cell.toLowerCase()) ? null : cell;
}

/** Synonyms are separated by `;` or `|`; by commas only where a comma had to be quoted and no `;` is there. */
function synonymsOf(cell: string, splitsAtCommas: boolean): string[] {
  if (isMissing(cell)) return [];
  const separator = /[;|]/.test(cell) ? /[;|]/ : splitsAtCommas ? /,/ : /[;|]/;
  return [...new Set(cell.split(separator).map(normalizeName))].filter((synonym) => !isMissing(synonym));
}

function settle(drafts: Map<string, Draft>, options: GermplasmOptions, problems: ProblemCollector): GermplasmEntry[] {
  const catalogueNames = [...(options.catalogue?.names ?? [])];
  const catalogueSynonyms = [...(options.catalogue?.synonyms ?? [])];
  checkSynonyms(drafts, catalogueNames, catalogueSynonyms, problems);
  reportNearDuplicates(drafts, catalogueNames, problems);
  const founders = resolveParents(drafts, catalogueNames, catalogueSynonyms, options, problems);
  reportParentChanges(drafts, options, problems);
  reportLoops(drafts, options, problems);
  const entries = [...drafts.values()].map(
    ({ name, collection, maternal, paternal, synonyms, attributes, line }): GermplasmEntry => ({
      name,
      collection,
      maternal,
      paternal,
      synonyms,
      attributes,
      line,
    }),
  );
  for (const name of founders) {
    entries.push({ name, collection: null, maternal: null, paternal: null, synonyms: [], attributes: {}, line: null });
  }
  return entries;
}

function checkSynonyms(
  drafts: Map<string, Draft>,
  catalogueNames: readonly string[],
  catalogueSynonyms: readonly (readonly [string, string])[],
  problems: ProblemCollector,
): void {
  const nameOwners = new Set([...catalogueNames.map(normalizeName), ...drafts.keys()]);
  const synonymOwner = new Map(
    catalogueSynonyms.map(([synonym, name]) => [normalizeName(synonym), normalizeName(name)]),
  );
  for (const draft of drafts.values()) {
    draft.synonyms = draft.synonyms.filter((synonym) => {
      if (synonym === draft.name) {
        problems.warning('E-GP-SYN-SELF', {
          line: draft.line,
          value: synonym,
          message: `"${synonym}" is a synonym of itself; it was left out.`,
          suggestion: 'Nothing to do.',
        });
        return false;
      }
      const owner = nameOwners.has(synonym) ? synonym : synonymOwner.get(synonym);
      if (owner === undefined || owner === draft.name) {
        synonymOwner.set(synonym, draft.name);
        return true;
      }
      problems.error('E-GP-SYN-TAKEN', {
        line: draft.line,
        value: synonym,
        message:
          owner === synonym
            ? `The synonym "${synonym}" of "${draft.name}" is the name of another germplasm.`
            : `The synonym "${synonym}" of "${draft.name}" is a synonym of "${owner}" already.`,
        suggestion: 'Remove the synonym from one of them.',
      });
      return true;
    });
  }
}

function reportNearDuplicates(
  drafts: Map<string, Draft>,
  catalogueNames: readonly string[],
  problems: ProblemCollector,
): void {
  const byFold = new Map<string, string>();
  for (const name of catalogueNames) byFold.set(foldName(name), normalizeName(name));
  for (const draft of drafts.values()) {
    const fold = foldName(draft.name);
    const similar = byFold.get(fold);
    if (similar === undefined) byFold.set(fold, draft.name);
    else if (fold !== '' && similar !== draft.name) {
      problems.warning('W-GP-NEAR-DUP', {
        line: draft.line,
        value: draft.name,
        message: `"${draft.name}" and "${similar}" differ only in case, blanks or punctuation.`,
        suggestion: 'Use one spelling, or confirm that they are really different lines.',
      });
    }
  }
}

/** Replaces parents by the names they resolve to; returns the founders to create. */
function resolveParents(
  drafts: Map<string, Draft>,
  catalogueNames: readonly string[],
  catalogueSynonyms: readonly (readonly [string, string])[],
  options: GermplasmOptions,
  problems: ProblemCollector,
): string[] {
  const synonyms: (readonly [string, string])[] = [...catalogueSynonyms];
  for (const draft of drafts.values()) for (const synonym of draft.synonyms) synonyms.push([synonym, draft.name]);
  const resolver = createNameResolver([...drafts.keys(), ...catalogueNames], synonyms);
  const founders = new Map<string, { line: number; children: number }>();

  function resolve(parent: string | null, draft: Draft, column: string | null): string | null {
    if (parent === null) return null;
    const place = { line: draft.line, column, value: parent };
    if (parent === draft.name) {
      problems.error('E-GP-SELF-PARENT', {
        ...place,
        message: `"${draft.name}" is given as its own parent.`,
        suggestion: 'Correct the parent, or leave it empty when it is unknown.',
      });
      return parent;
    }
    const resolution = resolver.resolve(parent);
    if (resolution.status === 'found') {
      if (resolution.how === 'folded') {
        problems.warning('W-NAME-FOLDED', {
          ...place,
          message: `The parent "${parent}" was taken as "${resolution.name}": they differ only in case, blanks or punctuation.`,
          suggestion: `Write "${resolution.name}", or confirm when this is right.`,
        });
      }
      return resolution.name;
    }
    if (resolution.status === 'ambiguous') {
      problems.error('E-NAME-AMBIG', { ...place, ...ambiguityText(parent, resolution.candidates) });
      return parent;
    }
    if (options.generateUnknownParents === true) {
      const founder = founders.get(parent) ?? { line: draft.line, children: 0 };
      founder.children++;
      founders.set(parent, founder);
      return parent;
    }
    problems.error('E-GP-PARENT-UNKNOWN', {
      ...place,
      message: `The parent "${parent}" of "${draft.name}" is neither in the file nor in the crop.`,
      suggestion:
        didYouMean(resolution.suggestions.map(({ name }) => name)) ??
        'Add it to the file, leave it empty, or choose to create unknown parents as founders.',
    });
    return parent;
  }

  for (const draft of drafts.values()) {
    draft.maternal = resolve(draft.maternal, draft, draft.maternalColumn);
    draft.paternal = resolve(draft.paternal, draft, draft.paternalColumn);
    if (draft.maternal !== null && draft.maternal === draft.paternal && draft.maternal !== draft.name) {
      problems.warning('W-GP-BOTH-SAME', {
        line: draft.line,
        value: draft.maternal,
        message: `Both parents of "${draft.name}" are "${draft.maternal}": it is taken as selfed.`,
        suggestion: 'Confirm when this is right.',
      });
    }
  }
  for (const [name, { line }] of founders) {
    problems.info('I-GP-FOUNDER', {
      line,
      value: name,
      message: `"${name}" is created as a founder, because it is a parent.`,
    });
  }
  const [only] = founders;
  if (founders.size === 1 && only !== undefined && only[1].children > 2) {
    problems.warning('W-GP-FOUNDER-ONLY', {
      line: only[1].line,
      value: only[0],
      message: `"${only[0]}" is the only founder and a parent of ${only[1].children}: it looks like a code for "unknown".`,
      suggestion: 'Leave unknown parents empty, or confirm that this is a germplasm.',
    });
  }
  return [...founders.keys()];
}

function reportParentChanges(drafts: Map<string, Draft>, options: GermplasmOptions, problems: ProblemCollector): void {
  const parentsOf = options.catalogue?.parentsOf;
  if (parentsOf === undefined) return;
  for (const draft of drafts.values()) {
    const stored = parentsOf(draft.name);
    if (stored === undefined) continue;
    for (const [role, before, after] of [
      ['female', stored.maternal, draft.maternal],
      ['male', stored.paternal, draft.paternal],
    ] as const) {
      if (before === null || after === null || before === after) continue;
      problems.warning('W-GP-PARENT-CHANGE', {
        line: draft.line,
        value: draft.name,
        message: `The ${role} parent of "${draft.name}" changes: ${before} -> ${after}.`,
        suggestion: 'Choose whether to keep what is stored, to fill blanks only, or to overwrite.',
      });
    }
  }
}

const MAX_SHOWN_LOOP = 12;

function reportLoops(drafts: Map<string, Draft>, options: GermplasmOptions, problems: ProblemCollector): void {
  const stored = options.catalogue?.parentsOf;
  const loops = pedigreeLoops(drafts.keys(), (name) => {
    const parents = drafts.get(name) ?? stored?.(name);
    const named = [parents?.maternal ?? null, parents?.paternal ?? null];
    // A germplasm that is its own parent has its own code.
    return named.filter((parent): parent is string => parent !== null && parent !== name);
  });
  for (const loop of loops) {
    const lines = loop.map((name) => drafts.get(name)?.line ?? Number.POSITIVE_INFINITY);
    const line = Math.min(...lines);
    const shown = loop.length > MAX_SHOWN_LOOP ? [...loop.slice(0, MAX_SHOWN_LOOP - 1), '…', loop[0]] : loop;
    problems.error('E-GP-CYCLE', {
      line: Number.isFinite(line) ? line : null,
      value: loop[0],
      message: `The pedigree runs in a circle: ${shown.join(' <- ')}.`,
      suggestion: 'Correct the parents of one of them.',
    });
  }
}
