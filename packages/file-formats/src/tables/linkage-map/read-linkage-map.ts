import type { ByteSource } from '../../byte-source.ts';
import { MAX_POSITION_BP } from '../../genotype/panel/marker-position.ts';
import { GrowingFloat64, GrowingInt32 } from '../../growing-array.ts';
import { nameFault, normalizeName } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { hasDecimalComma, headerKey, isMissing, parseNumber } from '../text/cell-values.ts';
import { headersOf } from '../text/header-spellings.ts';
import {
  findColumn,
  openTable,
  reportDuplicateColumns,
  reportIgnoredColumns,
  type Table,
  type TableColumn,
} from '../text/read-table.ts';
import { type TableMapping, tableLayout } from '../text/table-mapping.ts';
import type { LinkageMap } from './linkage-map.ts';
import { reportOrder } from './linkage-map-order.ts';
import { type LinkageMapSummary, roundedCm, summarizeMap } from './linkage-map-summary.ts';

export type MapUnit = 'cM' | 'M';

export interface LinkageMapOptions {
  /**
   * Unit of the map positions if the file does not state it; without either it is cM with a warning. A unit that
   * contradicts the file is an error.
   */
  unit?: MapUnit;
  /** What a person says of the columns. */
  mapping?: TableMapping;
  signal?: AbortSignal;
}

export interface LinkageMapReading {
  /** Null when the report has errors. */
  map: LinkageMap | null;
  report: ProblemReport;
  summary: LinkageMapSummary;
}

const ID = headersOf('linkageMap', 'marker');
const CHROMOSOME = headersOf('linkageMap', 'chromosome');
const PHYSICAL = headersOf('linkageMap', 'basePairs');
/** Column names for a map position, with or without a unit at the end. */
const MAP_BASES = headersOf('linkageMap', 'mapPosition');
const CENTIMORGAN = ['cm', 'centimorgan', 'centimorgans'];
const MORGAN = ['m', 'morgan', 'morgans'];
const withUnit = (units: readonly string[]) => MAP_BASES.flatMap((base) => units.map((unit) => base + unit));
const IN_CENTIMORGAN = [...withUnit(CENTIMORGAN), ...CENTIMORGAN];
// "M" alone may mean markers.
const IN_MORGAN = [...withUnit(MORGAN), 'morgan', 'morgans'];
const MAP = [...MAP_BASES.filter((base) => !base.startsWith('pos')), ...IN_CENTIMORGAN, ...IN_MORGAN];
const EITHER = ['pos', 'position'];

/** Plausible lengths of the longest chromosome in cM; outside this range the unit is doubted. */
const PLAUSIBLE_CM = { min: 10, max: 1000 };
/** A `pos` column with integers above this is read as base pairs. */
const BASE_PAIRS_FROM = 10_000;

/**
 * Reads a linkage map: columns SNPid, chr, physPos and linkMapPos in any order and many spellings, or without header 3
 * columns (marker, chromosome, position: AlphaSimR, Flapjack) or 4 columns (chromosome, marker, position, bp: PLINK
 * .map). Positions are converted to cM. The unit comes from the header (`(cM)`, `position_M`, `morgan` …), the comment
 * of our template or `options.unit`; E-LM-UNIT if two of them differ. If none states it, cM is assumed and W-LM-UNIT
 * asks for confirmation. A row without id gets `chr@bp` as its id. Finds all problems in one pass; bad content never
 * throws. Rejects when the source cannot be read or `signal` aborts.
 */
export async function readLinkageMap(source: ByteSource, options: LinkageMapOptions = {}): Promise<LinkageMapReading> {
  const problems = new ProblemCollector();
  try {
    const table = await openTable(source, {
      problems,
      expected: 'a linkage map',
      isHeader: (cells) => cells.length >= 2 && CHROMOSOME.includes(headerKey(cells[0])),
      hasHeader: (cells) => !isData(cells),
      allowBlanks: true,
      layout: tableLayout('LINKAGE_MAP', options.mapping),
      signal: options.signal,
    });
    reportDuplicateColumns(table.columns, table.headerLine, problems);
    const roles = columnRoles(table, problems);
    if (roles !== null) return await readRows(table, roles, options, problems);
    // A row that cannot be read, such as the first with an open quotation, is reported as all are read.
    if (table.isHeaderless) await table.forEachRow(() => {});
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { map: null, report: problems.report(), summary: { markers: 0, chromosomes: [] } };
}

/** Whether three or four cells have numbers where a map without header has its positions. */
function isData(cells: readonly string[]): boolean {
  const isNumber = (cell: string) => !Number.isNaN(parseNumber(cell, true));
  return (cells.length === 3 && isNumber(cells[2])) || (cells.length === 4 && isNumber(cells[2]) && isNumber(cells[3]));
}

const UNIT_IN_PARENTHESES = /[([](cm|centimorgans?|m|morgans?|bp)[)\]]$/;

/** The unit stated in a header, in parentheses or as its last part. */
function unitOf({ key }: TableColumn): 'cM' | 'M' | 'bp' | null {
  const told = UNIT_IN_PARENTHESES.exec(key)?.[1];
  if (told === 'bp' || key.endsWith('bp')) return 'bp';
  if ((told !== undefined && CENTIMORGAN.includes(told)) || IN_CENTIMORGAN.includes(key)) return 'cM';
  return (told !== undefined && MORGAN.includes(told)) || IN_MORGAN.includes(key) ? 'M' : null;
}

interface Roles {
  id: TableColumn | null;
  chromosome: TableColumn;
  physical: TableColumn | null;
  map: TableColumn | null;
  /** `pos` alone: its values decide which of the two it is. */
  either: TableColumn | null;
  unit: MapUnit | null;
}

function columnRoles(table: Table, problems: ProblemCollector): Roles | null {
  const { columns } = table;
  if (table.isHeaderless) {
    const [first, second, third, fourth] = columns;
    if (first === undefined || second === undefined || third === undefined) {
      problems.error('E-LM-NO-POS-COL', {
        line: table.headerLine,
        message: `The map has no header, and its first row has ${columns.length} of the three columns marker, chromosome and position.`,
        suggestion: 'Write a header, or the three columns in each row.',
      });
      return null;
    }
    return fourth === undefined
      ? { id: first, chromosome: second, physical: null, map: third, either: null, unit: null }
      : { id: second, chromosome: first, physical: fourth, map: third, either: null, unit: null };
  }
  const bare = columns.map((column) => ({ ...column, key: column.key.replace(UNIT_IN_PARENTHESES, '') }));
  const pick = (spellings: readonly string[], among: readonly TableColumn[] = bare) => {
    const found = findColumn(among, spellings);
    return columns.find(({ index }) => index === found?.index) ?? null;
  };
  let physical = pick(PHYSICAL);
  let map = pick(MAP);
  let either = pick(EITHER);
  if (either !== null) {
    const unit = unitOf(either);
    if (physical === null && (unit === 'bp' || map !== null)) physical = either;
    else if (map === null && (unit === 'cM' || unit === 'M' || physical !== null)) map = either;
    if (either === physical || either === map || (physical !== null && map !== null)) either = null;
  }
  const id = pick(ID);
  const chromosome = pick(CHROMOSOME);
  const used = [id, chromosome, physical, map, either];
  const missing = (code: string, what: string, suggestion: string) =>
    problems.error(code, {
      line: table.headerLine,
      value: columns.map(({ name }) => name).join(', '),
      message: `The map has no column with ${what}.`,
      suggestion,
    });
  if (used.every((column) => column === null) && columns.some(({ name }) => !Number.isNaN(table.numberOf(name)))) {
    problems.error('E-NO-HEADER', {
      line: table.headerLine,
      value: columns.map(({ name }) => name).join(', '),
      message: 'The first row of the map holds data, and not the names of the columns.',
      suggestion: 'Put a header above it: SNPid, chr, physPos, linkMapPos (cM).',
    });
    return null;
  }
  reportIgnoredColumns(
    columns.filter((column) => !used.includes(column)),
    table.headerLine,
    problems,
  );
  if (chromosome === null) missing('E-COL-MISSING', 'the chromosome', 'Name it "chr".');
  if (id === null && physical === null && either === null) missing('E-LM-NO-ID', 'the marker', 'Name it "SNPid".');
  if (map === null && either === null) {
    missing(
      'E-LM-NO-POS-COL',
      'the map position',
      'Name it "linkMapPos (cM)"; the template of the genotype file has it.',
    );
  }
  if (
    chromosome === null ||
    (map === null && either === null) ||
    (id === null && physical === null && either === null)
  ) {
    return null;
  }
  if (id === null) {
    problems.warning('W-LM-NO-ID', {
      line: table.headerLine,
      value: columns.map(({ name }) => name).join(', '),
      message: 'The map has no column with the names of the markers: chromosome and physical position name them.',
      suggestion: 'If one of its columns holds the names, call it "SNPid".',
    });
  }
  const unit = map === null ? null : unitOf(map);
  return { id, chromosome, physical, map, either, unit: unit === 'bp' ? null : unit };
}

async function readRows(
  table: Table,
  roles: Roles,
  options: LinkageMapOptions,
  problems: ProblemCollector,
): Promise<LinkageMapReading> {
  const ids: string[] = [];
  const chromosomes: string[] = [];
  const lines = new GrowingInt32();
  const physical = new GrowingFloat64();
  const positions = new GrowingFloat64();
  const lineOfId = new Map<string, number>();
  const commas = { count: 0, line: 0, value: '' };
  const mapColumn = roles.map ?? roles.either;
  if (mapColumn === null) throw new TypeError('A map needs a column of positions');

  function numberOf(cell: string, column: TableColumn, line: number, what: string): number {
    if (isMissing(cell)) return Number.NaN;
    const value = table.numberOf(cell);
    if (hasDecimalComma(cell) && !Number.isNaN(value) && commas.count++ === 0)
      Object.assign(commas, { line, value: cell });
    if (Number.isNaN(value)) {
      problems.error('E-LM-POS-NOT-NUMBER', {
        line,
        column: column.label,
        value: cell,
        message: `The ${what} "${cell}" is not a number.`,
        suggestion: 'Correct the number.',
      });
    } else if (value > MAX_POSITION_BP) {
      problems.error('E-LM-TOO-FAR', {
        line,
        column: column.label,
        value: cell,
        message: `The ${what} ${cell} lies beyond the end of any chromosome.`,
        suggestion: 'Correct the number, or check which column holds the positions.',
      });
    } else if (column === roles.physical && !Number.isInteger(value)) {
      problems.error('E-LM-POS-NOT-NUMBER', {
        line,
        column: column.label,
        value: cell,
        message: `The physical position ${cell} is not a whole number of base pairs.`,
        suggestion: 'Correct the number, or check which column holds the map positions.',
      });
    } else if (value < 0) {
      problems.error('E-LM-NEGATIVE', {
        line,
        column: column.label,
        value: cell,
        message: `The ${what} ${cell} is negative.`,
        suggestion: 'Positions count from the start of the chromosome.',
      });
    }
    return value;
  }

  await table.forEachRow(({ line, cells }) => {
    const chromosome = cells[roles.chromosome.index];
    const bp =
      roles.physical === null
        ? Number.NaN
        : numberOf(cells[roles.physical.index], roles.physical, line, 'physical position');
    const cell = cells[mapColumn.index];
    const position = numberOf(cell, mapColumn, line, 'map position');
    if (isMissing(cell)) {
      problems.error('E-LM-POS-MISSING', {
        line,
        column: mapColumn.label,
        value: cell,
        message: 'The marker has no map position.',
        suggestion: 'Fill it in, or remove the row.',
      });
    }
    let id = roles.id === null ? '' : normalizeName(cells[roles.id.index]);
    if (isMissing(id)) id = '';
    const hasChromosome = !isMissing(chromosome);
    if (!hasChromosome || (id === '' && Number.isNaN(bp) && roles.either === null)) {
      problems.error('E-LM-NO-ID', {
        line,
        column: hasChromosome ? (roles.id?.label ?? null) : roles.chromosome.label,
        value: hasChromosome ? null : chromosome,
        message: hasChromosome
          ? 'The row has neither a marker name nor a chromosome with a physical position.'
          : 'The row has no chromosome.',
        suggestion: 'Fill in SNPid, or chr and physPos.',
      });
      return;
    }
    const badChromosome = nameFault(chromosome);
    if (badChromosome !== null) {
      problems.error('E-NAME-INVALID', {
        line,
        column: roles.chromosome.label,
        value: chromosome,
        message: `${badChromosome}.`,
        suggestion: 'Correct the name of the chromosome.',
      });
      return;
    }
    if (id === '') id = `${chromosome}@${Number.isNaN(bp) ? position : bp}`;
    const fault = nameFault(id);
    if (fault !== null) {
      problems.error('E-NAME-INVALID', {
        line,
        column: roles.id?.label ?? null,
        value: id,
        message: `${fault}.`,
        suggestion: 'Correct the marker name.',
      });
    }
    const earlier = lineOfId.get(id);
    if (earlier === undefined) {
      lineOfId.set(id, line);
    } else {
      problems.error('E-LM-DUP-ID', {
        line,
        column: roles.id?.label ?? null,
        value: id,
        message: `The marker "${id}" is on line ${earlier} and on line ${line}.`,
        suggestion: 'Remove one of the rows.',
      });
    }
    ids.push(id);
    chromosomes.push(normalizeName(chromosome));
    lines.push(line);
    physical.push(bp);
    positions.push(position);
  });

  if (commas.count > 0) {
    problems.info('I-DECIMAL-COMMA', {
      line: commas.line,
      value: commas.value,
      message: `${groupedNumber(commas.count)} ${commas.count === 1 ? 'position has' : 'positions have'} a decimal comma: "${commas.value}" was read as ${parseNumber(commas.value, true)}.`,
      suggestion: 'Nothing to do when this is right.',
    });
  }
  const raw = { ids, chromosomes, physical: physical.values, positions: positions.values };
  const map = { ...toCentimorgan(raw, table, roles, options, problems), line: Int32Array.from(lines.values) };
  const summary = summarizeMap(map);
  reportOrder(map, lines.values, problems);
  return { map: problems.errorCount > 0 ? null : map, report: problems.report(), summary };
}

interface RawMap {
  ids: string[];
  chromosomes: string[];
  physical: Float64Array;
  positions: Float64Array;
}

/** Decides the meaning and unit of a `pos` column; W-LM-UNIT asks about whatever the file does not state. */
function toCentimorgan(
  raw: RawMap,
  table: Table,
  roles: Roles,
  options: LinkageMapOptions,
  problems: ProblemCollector,
): LinkageMap {
  const column = roles.map ?? roles.either;
  const ask = (message: string, suggestion: string) =>
    problems.warning('W-LM-UNIT', {
      line: table.isHeaderless ? null : table.headerLine,
      column: column?.label ?? null,
      message,
      suggestion,
    });
  let positionBp = raw.physical;
  let positionCm = raw.positions;
  if (roles.either !== null) {
    const known = raw.positions.filter((position) => !Number.isNaN(position));
    const areBasePairs =
      known.length > 0 && known.every(Number.isInteger) && known.reduce((a, b) => Math.max(a, b), 0) > BASE_PAIRS_FROM;
    if (areBasePairs) {
      positionBp = raw.positions;
      positionCm = new Float64Array(raw.positions.length).fill(Number.NaN);
      problems.error('E-LM-NO-POS-COL', {
        line: table.headerLine,
        column: roles.either.label,
        message: `The map has no map positions: the column "${roles.either.name}" holds whole numbers above ${groupedNumber(BASE_PAIRS_FROM)}, which are base pairs.`,
        suggestion:
          'Add a column "linkMapPos (cM)", or download the template of the genotype file, which converts base pairs.',
      });
      return { markerId: raw.ids, chromosome: raw.chromosomes, positionBp, positionCm };
    }
  }
  const fromTemplate = table.comments.some((comment) => /\blinkMapPos in cM\b/i.test(comment));
  const written = roles.unit ?? (fromTemplate ? 'cM' : null);
  if (options.unit !== undefined && written !== null && options.unit !== written) {
    problems.error('E-LM-UNIT', {
      line: table.headerLine,
      column: column?.label ?? null,
      value: written,
      message: `The file gives its map positions in ${written}, and they were to be read as ${options.unit}.`,
      suggestion: `Leave the unit out, or correct the header when the positions are in ${options.unit}.`,
    });
  }
  const told = options.unit ?? written;
  if (told === 'M') positionCm = raw.positions.map((position) => position * 100);
  const map: LinkageMap = { markerId: raw.ids, chromosome: raw.chromosomes, positionBp, positionCm };

  const longest = summarizeMap(map).chromosomes.reduce((most, { lengthCm }) => Math.max(most, lengthCm ?? 0), 0);
  if (raw.ids.length > 1 && problems.errorCount === 0 && positionCm.every((position) => position === 0)) {
    problems.error('E-LM-POS-MISSING', {
      column: column?.label ?? null,
      value: '0',
      message: 'All map positions are 0: the file holds no map.',
      suggestion: 'Fill in the map positions, or download the template of the genotype file.',
    });
  } else if (options.unit === undefined && raw.ids.length > 1 && longest > 0 && longest < PLAUSIBLE_CM.min) {
    ask(
      `The longest chromosome has ${roundedCm(longest)} cM: these look like Morgan.`,
      'Write the unit into the header, "linkMapPos (M)" or "linkMapPos (cM)", or confirm that the positions are in cM.',
    );
  } else if (options.unit === undefined && longest > PLAUSIBLE_CM.max) {
    ask(
      `The longest chromosome has ${roundedCm(longest)} cM: these look like base pairs.`,
      'Use a map in cM, or download the template of the genotype file, which converts base pairs.',
    );
  } else if (told === null) {
    ask(
      'The file does not say in which unit the map positions are; they were read as cM.',
      'Write the unit into the header, "linkMapPos (cM)" or "linkMapPos (M)", or confirm.',
    );
  }
  return map;
}
