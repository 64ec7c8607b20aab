import { CHOSEN_FILE_TYPE_NAMES, type PhenotypeShape } from '../../file-kinds.ts';
import { nameFault, normalizeName } from '../../names/normalize-name.ts';
import type { ProblemCollector } from '../../problem.ts';
import { headerKeys, headersOf } from '../text/header-spellings.ts';
import { likelyNameColumn } from '../text/likely-names.ts';
import { findColumn, type Table, type TableColumn } from '../text/read-table.ts';
import { COVARIATE_KEY } from '../text/table-mapping.ts';
import { tableTypeOf } from '../text/table-type.ts';

/** Headers of the column that names individuals, the most specific first. */
const INDIVIDUAL = headersOf('phenotype', 'individual');

/** Design columns, in the order in which tables are written. Environments are the combinations of the first four. */
export const DESIGN_ROLES = [
  'environment',
  'location',
  'year',
  'treatment',
  'replicate',
  'block',
  'row',
  'column',
  'plot',
  'plant',
] as const;
export type DesignRole = (typeof DESIGN_ROLES)[number];

/**
 * Header of the treatments of whole plots, as trials are written: words that divide no environment. A column called
 * "treatment" divides it.
 */
export const WHOLE_PLOT = 'whole_plot';

/** Columns of Breedbase, BMS, DeltaBreed and Field Book that are no traits: database keys and descriptions. */
const DESCRIPTIVE = headerKeys(
  'programDbId programName programDescription studyDbId studyDescription studyDesign plotWidth plotLength fieldSize',
  'fieldTrialIsPlannedToBeGenotyped fieldTrialIsPlannedToCross harvestDate locationDbId germplasmDbId',
  'germplasmSynonyms observationLevel observationUnitDbId notes germplasm_gid gid entry_no',
  'exp_title exp_unit exp_unit_id exp_type treatment_factors obs_unit_id pedigree tray_row tray_id',
);

/** Headers of a column that tells checks from test lines: Breedbase, BMS, and what people write. */
const CHECK = headersOf('phenotype', 'check');
const SOWING = headersOf('phenotype', 'sowing');

const NO_TRAITS: ReadonlySet<string> = new Set([
  ...INDIVIDUAL,
  ...DESIGN_ROLES.flatMap((role) => headersOf('phenotype', role)),
  ...CHECK,
  ...SOWING,
  ...DESCRIPTIVE,
]);

const LONG = {
  trait: headersOf('phenotype', 'trait'),
  value: headersOf('phenotype', 'value'),
  timestamp: headersOf('phenotype', 'timestamp'),
  unused: headerKeys('person collector operator number'),
};

/** The header of a trait, taken apart. */
export interface TraitHeader {
  name: string;
  unit: string | null;
  ontologyId: string | null;
  /** What the header itself says (`_#CAT`, `=n`), null when it says nothing. */
  declaredKind: 'numeric' | 'categorical' | null;
}

/** The roles of the columns of a phenotype file. */
export interface PhenotypeHeader {
  shape: PhenotypeShape;
  individual: TableColumn;
  /** No column is known to name the individuals; this one does probably. The file is refused. */
  isGuess: boolean;
  design: { role: DesignRole; column: TableColumn }[];
  /** Tells checks from test lines; null without such a column. */
  check: TableColumn | null;
  /** The dates of sowing; null without such a column. */
  sowing: TableColumn | null;
  /** Long files only. */
  long: { trait: TableColumn; value: TableColumn; timestamp: TableColumn | null } | null;
  /** Wide files only; those of `covariates` among them. */
  traitColumns: TableColumn[];
  /** Columns that are given as covariates and are no traits. */
  covariates: ReadonlySet<TableColumn>;
  /** Columns that are not used. */
  ignored: TableColumn[];
}

/** Assigns a role to each column; null, with a problem, when the file has one column only. */
export function phenotypeHeader(table: Table, problems: ProblemCollector): PhenotypeHeader | null {
  const types = tasselTypes(table);
  const named = table.columns.filter((column) => !(column.name === '' && column.index > 0));
  const individual =
    findColumn(named, INDIVIDUAL) ??
    table.columns.find((column) => types.get(column.index) === 'taxa') ??
    (table.columns[0]?.name === '' ? table.columns[0] : undefined);
  if (individual === undefined) {
    const names = table.columns.map(({ name }) => name).join(', ');
    const isOne = table.columns.length === 1;
    problems.error('E-COL-MISSING', {
      line: table.headerLine,
      value: names,
      message: `No column holds the names of the individuals. The columns are ${listed(table.columns)}.`,
      suggestion: isOne
        ? table.isSheet
          ? 'The table has only one column: say which row is the header, or choose another sheet.'
          : 'The file has only one column: say what separates its columns, and which row is the header.'
        : 'Say which column has their names, or rename it to "individual".',
    });
    reportOtherType(table, problems);
    // Reading goes on with the likeliest column, so that all other problems are found in the same pass.
    if (isOne) return null;
  }
  const nameColumn = individual ?? likelyNameColumn(named, table.sample);
  if (nameColumn === undefined) return null;
  const taken = new Set([nameColumn]);
  const take = (spellings: readonly string[]): TableColumn | undefined => {
    const column = findColumn(
      named.filter((candidate) => !taken.has(candidate)),
      spellings,
    );
    if (column !== undefined) taken.add(column);
    return column;
  };
  const trait = findColumn(named, LONG.trait);
  const value = findColumn(named, LONG.value);
  const isLong = trait !== undefined && value !== undefined && trait !== nameColumn && value !== nameColumn;
  if (isLong) taken.add(trait).add(value);

  const design: PhenotypeHeader['design'] = [];
  for (const role of DESIGN_ROLES) {
    const column = take(headersOf('phenotype', role));
    if (column !== undefined) design.push({ role, column });
  }
  for (const column of named) {
    if (types.get(column.index) !== 'factor' || taken.has(column)) continue;
    taken.add(column);
    design.push({ role: 'environment', column });
  }
  const check = take(CHECK) ?? null;
  const sowing = take(SOWING) ?? null;
  const roles = { individual: nameColumn, isGuess: individual === undefined, design, sowing };
  const ignored = table.columns.filter((column) => !named.includes(column));
  if (isLong) {
    const timestamp = take(LONG.timestamp) ?? null;
    for (let unused = take(LONG.unused); unused !== undefined; unused = take(LONG.unused)) taken.add(unused);
    ignored.push(...named.filter((column) => !taken.has(column)));
    const long = { trait, value, timestamp };
    return { ...roles, shape: 'long', check, long, traitColumns: [], covariates: new Set(), ignored };
  }
  const rest = named.filter((column) => !taken.has(column));
  // No traits either: a second column of names (entry number), or a second one for a part of the design (plot number).
  const isNoTrait = ({ key }: TableColumn) => NO_TRAITS.has(key);
  ignored.push(...rest.filter(isNoTrait));
  const traitColumns = rest.filter((column) => !isNoTrait(column));
  const covariates = new Set(
    traitColumns.filter(({ key, index }) => key.startsWith(COVARIATE_KEY) || isCovariate(types, index)),
  );
  const shape = design.length > 0 ? 'wide-design' : 'wide';
  return { ...roles, shape, check, long: null, traitColumns, covariates, ignored };
}

/**
 * E-TYPE when the headers are those of another type of table; true when they are. Its value is the type, as the API
 * spells it.
 */
export function reportOtherType(
  { columns, headerLine }: Pick<Table, 'columns' | 'headerLine'>,
  problems: ProblemCollector,
): boolean {
  const other = tableTypeOf(columns.map(({ name }) => name));
  if (other === null) return false;
  const type = CHOSEN_FILE_TYPE_NAMES[other.type].toLowerCase();
  problems.error('E-TYPE', {
    line: headerLine,
    value: other.type,
    message: `By ${other.columns.length === 1 ? 'the column' : 'the columns'} ${other.columns.slice(0, 4).join(', ')} this is a ${type}; you chose a phenotype file.`,
    suggestion: `Check it as a ${type}, or say what its columns hold.`,
  });
  return true;
}

/**
 * Parses a trait header: `Yield (t/ha)|CO_322:0000994` is the trait Yield in t/ha with that ontology id; `_#CAT`,
 * `_#NUM` (Flapjack), `=c` and `=n` (Helium) give the kind.
 */
export function parseTraitHeader(header: string): TraitHeader {
  const bar = header.indexOf('|');
  const ontologyId = bar < 0 ? null : normalizeName(header.slice(bar + 1)) || null;
  let text = normalizeName(bar < 0 ? header : header.slice(0, bar));
  let declaredKind: TraitHeader['declaredKind'] = null;
  // Bounded: with \s* a header of a million blanks takes hours.
  const kind = /(?:_?#(CAT|NUM)|\s{0,9}=\s{0,9}([cn]))$/i.exec(text);
  if (kind !== null && kind.index > 0) {
    declaredKind = /^c/i.test(kind[1] ?? kind[2]) ? 'categorical' : 'numeric';
    text = text.slice(0, kind.index).trim();
  }
  const unit = /^(.*\S)\s*\(([^()]+)\)$/.exec(text);
  return unit === null
    ? { name: text, unit: null, ontologyId, declaredKind }
    : { name: unit[1].trim(), unit: unit[2].trim(), ontologyId, declaredKind };
}

/**
 * Parses the trait headers of a wide file. Names that differ only in their units keep them (`Yield (t/ha)` and `Yield
 * (kg/plot)` are two traits). Adds E-PH-NO-TRAIT, E-PH-DUP-TRAIT, E-NAME-INVALID, E-TOO-LARGE.
 */
export function traitHeaders(
  columns: readonly TableColumn[],
  headerLine: number,
  problems: ProblemCollector,
): TraitHeader[] {
  const traits = columns.map((column) => parseTraitHeader(column.name));
  const count = new Map<string, number>();
  for (const { name } of traits) count.set(name.toLowerCase(), (count.get(name.toLowerCase()) ?? 0) + 1);
  for (const trait of traits) {
    if ((count.get(trait.name.toLowerCase()) ?? 0) > 1 && trait.unit !== null)
      trait.name = `${trait.name} (${trait.unit})`;
  }
  const first = new Map<string, TableColumn>();
  traits.forEach((trait, index) => {
    const column = columns[index];
    const fault = nameFault(trait.name);
    if (fault !== null) {
      problems.error(trait.name === '' ? 'E-NAME-EMPTY' : 'E-NAME-INVALID', {
        line: headerLine,
        column: column.label,
        value: column.name,
        message: `${fault}.`,
        suggestion: 'Give the trait a shorter or plainer name.',
      });
    }
    const earlier = first.get(trait.name.toLowerCase());
    if (earlier === undefined) {
      first.set(trait.name.toLowerCase(), column);
      return;
    }
    problems.error('E-PH-DUP-TRAIT', {
      line: headerLine,
      column: column.label,
      value: column.name,
      message: `The trait "${trait.name}" occurs in two columns: ${earlier.label} and ${column.label}.`,
      suggestion: 'Rename or remove one of them; trait names are compared without case.',
    });
  });
  return traits;
}

/**
 * TASSEL's `<Phenotype>` files give the kind of each column in a row before the header: taxa, data, covariate, factor.
 */
export function isTasselPreamble(cells: readonly string[], earlier: readonly { cells: string[] }[]): boolean {
  if (earlier.length === 0) return /^<(?:phenotype|numeric|covariate)>$/i.test(cells[0]);
  return earlier.length === 1 && cells.every((cell) => /^(?:taxa|data|covariate|factor)$/i.test(cell));
}

/** The kind of each column; older files say once for all of them what they hold. */
function tasselTypes(table: Table): Map<number | 'all', string> {
  const types = new Map<number | 'all', string>();
  table.preamble[1]?.cells.forEach((type, index) => types.set(index, type.toLowerCase()));
  if (/^<covariate>$/i.test(table.preamble[0]?.cells[0] ?? '')) types.set('all', 'covariate');
  return types;
}

const isCovariate = (types: ReadonlyMap<number | 'all', string>, index: number): boolean =>
  (types.get(index) ?? types.get('all')) === 'covariate';

function listed(columns: readonly TableColumn[]): string {
  const names = columns.slice(0, 8).map(({ label }) => label);
  return columns.length > 8 ? `${names.join(', ')} and ${columns.length - 8} more` : names.join(', ');
}
