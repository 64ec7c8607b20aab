import type { ZipArchive } from '../../compression/zip-archive.ts';
import type { ProblemCollector } from '../../problem.ts';
import { textLines } from '../../text/text-lines.ts';
import { counted } from '../panel/tally.ts';
import { isMissingText } from './call-text.ts';
import { headerKey, mostFrequentSeparator } from './matrix-layout.ts';
import { splitDelimited } from './split-delimited.ts';
import { readEntryText } from './zip-entries.ts';

/** Where a marker lies, and its alleles, the reference first, when they are named. */
export interface MarkerPlace {
  chromosome: string;
  /** Base pairs; 0 when unknown. */
  positionBp: number;
  alleles?: string[];
}

/** What is known of markers by their ids, for files of calls that do not tell it. */
export type MarkerPlaces = ReadonlyMap<string, MarkerPlace>;

/** Headers of a list of markers; of several for one column the one that stands first here counts. */
const LIST_HEADERS = {
  id: 'customersnpid marker markername markerid snp snpid snpname rs rs# locus variant variantid assay name id',
  chromosome: 'chrom chr chromosome #chrom linkagegroup lg',
  position: 'pos position bp physpos positionbp physicalposition',
  ref: 'ref reference refallele',
  alt: 'alt alternate altallele',
} as const;
type ListColumns = Record<keyof typeof LIST_HEADERS, number>;
/** Cells of the widest header that is looked at, and of a line of a list. */
const MAX_LIST_COLUMNS = 100;

/**
 * What the beginning of a file shows it to be: a table of markers with a header of ids, chromosomes and positions, a
 * map as Flapjack reads it (marker, chromosome, position, without a header), or neither.
 */
export function markerListKind(head: string): 'table' | 'map' | null {
  if (/^\uFEFF?#\s*fjFile\s*=\s*MAP/i.test(head)) return 'map';
  for (const { content } of textLines(head)) {
    if (content.trim() === '' || content.startsWith('#')) continue;
    if (listColumns(content) !== null) return 'table';
    const [id, chromosome, position, ...others] = content.split('\t', 4);
    if (position === undefined && isLength(chromosome)) continue;
    const isMap = id !== '' && chromosome !== undefined && /^\s*[\d.,]+\s*$/.test(position ?? '');
    return isMap && others.length === 0 ? 'map' : null;
  }
  return null;
}

/**
 * Reads the list of markers beside a file of calls: a table with a header, or a Flapjack map. Positions of a map that
 * are all whole numbers, and of a table of which most are, are base pairs; else they are genetic and kept out of
 * `positionBp`, with W-GT-NO-POS. Reports E-GT-POS for a line without number.
 */
export async function readMarkerList(
  zip: ZipArchive,
  name: string,
  problems: ProblemCollector,
  options: { onLegacyText: () => void; signal?: AbortSignal | undefined },
): Promise<MarkerPlaces> {
  const text = await readEntryText(zip, name, options);
  const columns = [...firstLine(text)].map(listColumns)[0] ?? null;
  return columns === null ? readMap(text, name, problems) : readListTable(text, columns, name, problems);
}

function* firstLine(text: string): Generator<string> {
  for (const { content } of textLines(text)) {
    if (content.trim() === '' || content.startsWith('#')) continue;
    yield content;
    return;
  }
}

function listColumns(header: string): ListColumns | null {
  const separator = mostFrequentSeparator(header);
  if (separator === null) return null;
  const keys = splitDelimited(header, separator, MAX_LIST_COLUMNS).map(headerKey);
  const columnOf = (spellings: string) =>
    spellings.split(' ').reduce((found, key) => (found < 0 ? keys.indexOf(key) : found), -1);
  const columns: ListColumns = {
    id: columnOf(LIST_HEADERS.id),
    chromosome: columnOf(LIST_HEADERS.chromosome),
    position: columnOf(LIST_HEADERS.position),
    ref: columnOf(LIST_HEADERS.ref),
    alt: columnOf(LIST_HEADERS.alt),
  };
  return columns.id >= 0 && columns.chromosome >= 0 && columns.position >= 0 ? columns : null;
}

function readListTable(text: string, columns: ListColumns, name: string, problems: ProblemCollector): MarkerPlaces {
  const rows: { id: string; place: MarkerPlace; line: number; content: string }[] = [];
  let separator: string | null = null;
  for (const { number, content } of textLines(text)) {
    if (content.trim() === '' || content.startsWith('#')) continue;
    if (separator === null) {
      separator = mostFrequentSeparator(content) ?? '\t';
      continue;
    }
    const cells = splitDelimited(content, separator, MAX_LIST_COLUMNS);
    const cell = (column: number) => (column < 0 || isMissingText(cells[column] ?? '') ? '' : (cells[column] ?? ''));
    const id = cell(columns.id);
    const chromosome = cell(columns.chromosome);
    const position = cell(columns.position);
    // A marker of unknown place has none in the list either.
    if (id === '' || chromosome === '' || position === '') continue;
    const positionBp = positionOf(position);
    const alleles = [cell(columns.ref), cell(columns.alt)];
    const place = { chromosome, positionBp, ...(alleles.includes('') ? {} : { alleles }) };
    rows.push({ id, place, line: number, content });
  }
  const isFraction = ({ place: { positionBp } }: (typeof rows)[number]) => positionBp % 1 > 0;
  if (2 * rows.filter(isFraction).length > rows.length) {
    reportGenetic(rows.length, problems);
    return new Map(rows.map(({ id, place }) => [id, { ...place, positionBp: 0 }]));
  }
  const places = new Map<string, MarkerPlace>();
  for (const { id, place, line, content } of rows) {
    if (Number.isInteger(place.positionBp)) places.set(id, place);
    else reportLine(line, content, name, problems);
  }
  return places;
}

function readMap(text: string, name: string, problems: ProblemCollector): MarkerPlaces {
  const rows: { id: string; chromosome: string; position: number }[] = [];
  let hasRow = false;
  for (const { number, content: line } of textLines(text)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [id = '', chromosome = '', positionText = ''] = line.split('\t', 3).map((cell) => cell.trim());
    if (positionText === '' && isLength(chromosome)) continue;
    const position = positionOf(positionText);
    if (Number.isNaN(position) || chromosome === '') {
      const isHeader = !hasRow;
      hasRow = true;
      if (!isHeader) reportLine(number, line, name, problems);
      continue;
    }
    hasRow = true;
    rows.push({ id, chromosome, position });
  }
  const isPhysical = rows.every(({ position }) => Number.isInteger(position));
  if (!isPhysical) reportGenetic(rows.length, problems);
  return new Map(
    rows.map(({ id, chromosome, position }) => [id, { chromosome, positionBp: isPhysical ? position : 0 }]),
  );
}

/** W-GT-NO-POS for positions that are broken numbers. */
function reportGenetic(markers: number, problems: ProblemCollector): void {
  problems.warning('W-GT-NO-POS', {
    message: `The map gives genetic positions (${counted(markers, 'marker')}); they are not base pairs and were left out.`,
    suggestion: 'Upload them as a LINKAGE_MAP file.',
  });
}

/** Whether the second of two cells is the length of a chromosome, which Flapjack writes on a line of its own. */
const isLength = (text: string | undefined): boolean => text !== undefined && !Number.isNaN(positionOf(text.trim()));

/** A position of at least 0; NaN for anything else. Thousands separators occur in exported maps. */
function positionOf(text: string): number {
  const position = text === '' ? Number.NaN : Number(text.replaceAll(',', ''));
  return Number.isFinite(position) && position >= 0 ? position : Number.NaN;
}

function reportLine(line: number, value: string, name: string, problems: ProblemCollector): void {
  problems.error('E-GT-POS', {
    line,
    column: name,
    value,
    message: `Line ${line} of the map is not: marker, chromosome, position.`,
    suggestion: 'Separate the columns by tabs, and write positions as plain numbers.',
  });
}
