import type { ByteSource } from '../../byte-source.ts';
import { openZip, type ZipArchive } from '../../compression/zip-archive.ts';
import { FileFormatError } from '../../problem.ts';
import type { TableRow } from './delimited-text.ts';
import { ElementStream, elementsOf, firstElement, withoutPrefix } from './xml-elements.ts';

/** A sheet of an Excel workbook, as rows of text. */
export interface XlsxSheet {
  name: string;
  /** All sheets, in the order of their tabs. */
  names: string[];
  /**
   * Passes rows in order until `visit` returns false; empty rows are skipped. `line` is Excel's row number. A formula
   * gives its cached value or, without one, its own text; a date gives ISO text (2026-01-31, with T12:00:00 when there
   * is a time), a boolean TRUE or FALSE, an error its name. `name` reads another sheet.
   */
  forEachRow(visit: (row: TableRow) => boolean, signal?: AbortSignal, name?: string): Promise<void>;
}

const MAX_PART_BYTES = 50_000_000;
const MAX_STRINGS_BYTES = 400_000_000;
const MAX_SHEET_BYTES = 1_500_000_000;
/** Longest XML of a row or a shared string; a table has no longer ones. */
const MAX_ELEMENT_LENGTH = 64_000_000;
const MAX_COLUMNS = 16_384;
/** Rows of a sheet as Excel and LibreOffice have them. Empty ones cost time too, however small the file is. */
const MAX_ROWS = 1_048_576;
/** A table of lines and traits has some thousand different texts, one of genotype calls some million. */
const MAX_STRINGS = 8_000_000;

/**
 * Opens a sheet of an .xlsx workbook (ECMA-376 part 1, SpreadsheetML), by default the first. The sheet is streamed row
 * by row; only the shared strings are held. Throws {@link FileFormatError}: E-TYPE when the zip archive is no workbook
 * or damaged, E-SHEET when it has no sheet of that name, E-TOO-LARGE.
 */
export async function openXlsx(source: ByteSource, wanted?: string): Promise<XlsxSheet> {
  const zip = await openZip(source);
  if (!zip.has('xl/workbook.xml')) {
    throw new FileFormatError('E-TYPE', {
      message: 'This is a zip archive, not a table.',
      suggestion: 'Unpack it and upload the table inside.',
    });
  }
  const workbook = await readPart(zip, 'xl/workbook.xml', 'workbook');
  const sheets = [...elementsOf(workbook, 'sheet')].map(({ attributes }) => attributes);
  const names = sheets.map((sheet) => decodeXml(attribute(sheet, 'name')));
  const placeOf = (name: string | undefined): number => {
    const place = name === undefined ? 0 : names.indexOf(name);
    if (place >= 0) return place;
    throw new FileFormatError('E-SHEET', {
      value: name ?? null,
      message: `The workbook has no sheet "${name}"; it has ${names.map((one) => `"${one}"`).join(', ')}.`,
      suggestion: 'Choose one of these.',
    });
  };
  const place = placeOf(wanted);
  const sheetPath = await pathOfSheet(zip, sheets[place] ?? '', place);
  const strings = zip.has('xl/sharedStrings.xml') ? await readSharedStrings(zip) : [];
  const isDateStyle = zip.has('xl/styles.xml') ? dateStyles(await readPart(zip, 'xl/styles.xml', 'styleSheet')) : [];
  const uses1904 = /^(?:1|true)$/.test(attribute(firstElement(workbook, 'workbookPr')?.attributes ?? '', 'date1904'));

  async function forEachRow(
    visit: (row: TableRow) => boolean,
    signal?: AbortSignal,
    name: string | undefined = wanted,
  ): Promise<void> {
    const other = placeOf(name);
    const path = other === place ? sheetPath : await pathOfSheet(zip, sheets[other] ?? '', other);
    let line = 0;
    for await (const xml of rowElements(zip, path)) {
      signal?.throwIfAborted();
      const number = Number(attribute(xml.slice(0, xml.indexOf('>') + 1), 'r'));
      line = number > 0 ? number : line + 1;
      const cells = rowCells(xml, strings, isDateStyle, uses1904);
      if (cells.some((cell) => cell !== '') && !visit({ line, cells })) return;
    }
  }
  return { name: names[place] ?? '', names, forEachRow };
}

async function pathOfSheet(zip: ZipArchive, sheet: string, place: number): Promise<string> {
  const id = attribute(sheet, 'r:id') || (/\b\w+:id="([^"]*)"/.exec(sheet)?.[1] ?? '');
  if (id && zip.has('xl/_rels/workbook.xml.rels')) {
    const relations = await readPart(zip, 'xl/_rels/workbook.xml.rels', 'Relationships');
    for (const { attributes } of elementsOf(relations, 'Relationship')) {
      if (attribute(attributes, 'Id') !== id) continue;
      const target = decodeXml(attribute(attributes, 'Target'));
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;
      if (zip.has(path)) return path;
    }
  }
  const usual = `xl/worksheets/sheet${place + 1}.xml`;
  if (zip.has(usual)) return usual;
  throw noSheet();
}

function noSheet(): FileFormatError {
  return new FileFormatError('E-TYPE', {
    message: 'The workbook has no sheet with a table.',
    suggestion: 'Put the table on the first sheet and save the workbook again.',
  });
}

async function readPart(zip: ZipArchive, name: string, root: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of zip.stream(name, MAX_PART_BYTES)) text += decoder.decode(chunk, { stream: true });
  return withoutPrefix(text + decoder.decode(), root);
}

/** The rows of a sheet, each as its XML without namespace prefixes. */
async function* rowElements(zip: ZipArchive, sheetPath: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const rows = new ElementStream('worksheet', 'row', MAX_ELEMENT_LENGTH);
  let count = 0;
  for await (const chunk of zip.stream(sheetPath, MAX_SHEET_BYTES)) {
    for (const xml of rows.take(decoder.decode(chunk, { stream: true }))) {
      if (++count > MAX_ROWS) {
        throw tooMany('rows', MAX_ROWS);
      }
      yield xml;
    }
    if (rows.isForeign) throw noSheet();
    if (rows.isTooLong) {
      throw new FileFormatError('E-TOO-LARGE', {
        message: 'A row of the sheet is too large to be a row of a table.',
        suggestion: 'Check that this is the workbook you meant.',
      });
    }
  }
}

function tooMany(what: 'rows' | 'cells in a row', most: number): FileFormatError {
  return new FileFormatError('E-TOO-LARGE', {
    message: `The sheet has more ${what} than a spreadsheet can have, ${most.toLocaleString('en')}.`,
    suggestion: 'Save the table anew in a spreadsheet program, or as CSV.',
  });
}

async function readSharedStrings(zip: ZipArchive): Promise<string[]> {
  const strings: string[] = [];
  const decoder = new TextDecoder();
  const items = new ElementStream('sst', 'si', MAX_ELEMENT_LENGTH);
  for await (const chunk of zip.stream('xl/sharedStrings.xml', MAX_STRINGS_BYTES)) {
    for (const xml of items.take(decoder.decode(chunk, { stream: true }))) strings.push(textOf(xml));
    if (items.isForeign || items.isTooLong || strings.length > MAX_STRINGS) {
      throw new FileFormatError('E-TOO-LARGE', {
        message: 'A text of the workbook is too large for a cell of a table.',
        suggestion: 'Check that this is the workbook you meant.',
      });
    }
  }
  return strings;
}

/** All <t> of a shared or inline string, without phonetic readings (<rPh>). */
function textOf(xml: string): string {
  let visible = '';
  let seen = 0;
  for (const { start, end } of elementsOf(xml, 'rPh')) {
    visible += xml.slice(seen, start);
    seen = end;
  }
  visible += xml.slice(seen);
  let text = '';
  for (const { content } of elementsOf(visible, 't')) text += content ?? '';
  return decodeText(text);
}

function attribute(tag: string, name: string): string {
  const start = tag.indexOf(` ${name}="`);
  if (start < 0) return '';
  const from = start + name.length + 3;
  return tag.slice(from, tag.indexOf('"', from));
}

function rowCells(xml: string, strings: string[], isDateStyle: boolean[], uses1904: boolean): string[] {
  const cells: string[] = [];
  let count = 0;
  for (const { attributes, content } of elementsOf(xml, 'c')) {
    if (++count > MAX_COLUMNS) throw tooMany('cells in a row', MAX_COLUMNS);
    const reference = attribute(attributes, 'r');
    const index = reference === '' ? cells.length : columnIndex(reference);
    if (index >= MAX_COLUMNS) continue;
    while (cells.length <= index) cells.push('');
    if (content !== undefined) cells[index] = cellText(attributes, content, strings, isDateStyle, uses1904).trim();
  }
  return cells;
}

function cellText(
  attributes: string,
  content: string,
  strings: string[],
  isDateStyle: boolean[],
  uses1904: boolean,
): string {
  const type = attribute(attributes, 't');
  if (type === 'inlineStr') return textOf(content);
  const value = firstElement(content, 'v')?.content;
  if (value === undefined) return unsavedFormula(content);
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  if (type === 'str' || type === 'e' || type === 'd') return decodeText(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return decodeText(value);
  return isDateStyle[Number(attribute(attributes, 's') || '0')] === true ? isoDate(number, uses1904) : String(number);
}

/**
 * Programs that do not calculate store formulas without a result. The cell then has the formula's text, so that it is
 * reported as not a number instead of silently counting as missing.
 */
function unsavedFormula(content: string): string {
  const formula = firstElement(content, 'f');
  return formula === undefined ? '' : `=${decodeText(formula.content ?? '')}`;
}

/** 0-based column of a reference such as `AB12`. */
function columnIndex(reference: string): number {
  let index = 0;
  for (let i = 0; i < reference.length; i++) {
    const code = reference.charCodeAt(i) & ~32;
    if (code < 65 || code > 90) break;
    index = index * 26 + (code - 64);
  }
  return Math.max(0, index - 1);
}

/** Excel's own limit. Longer formats are ignored: the pattern below is slow on brackets that are never closed. */
const LONGEST_FORMAT = 255;

/**
 * Which cell styles show dates or times: built-in formats 14–22 and 45–47 (ECMA-376 §18.8.30), and custom ones with d,
 * m, y, h or s.
 */
function dateStyles(styles: string): boolean[] {
  const custom = new Map<number, string>();
  for (const { attributes } of elementsOf(styles, 'numFmt')) {
    custom.set(Number(attribute(attributes, 'numFmtId')), decodeXml(attribute(attributes, 'formatCode')));
  }
  const isDate = (id: number): boolean => {
    const code = custom.get(id);
    if (code === undefined)
      return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
    if (code.length > LONGEST_FORMAT) return false;
    return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general|_./gi, ''));
  };
  const cellFormats = firstElement(styles, 'cellXfs')?.content ?? '';
  return [...elementsOf(cellFormats, 'xf')].map(({ attributes }) => isDate(Number(attribute(attributes, 'numFmtId'))));
}

const MS_PER_DAY = 86_400_000;

/** A serial day number as ISO text. Excel counts 29 February 1900, which did not exist: earlier days are one off. */
function isoDate(serial: number, uses1904: boolean): string {
  const epoch = uses1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const date = new Date(epoch + Math.round(serial * 86_400) * 1000);
  if (Number.isNaN(date.getTime()) || serial < 0) return String(serial);
  const iso = date.toISOString();
  if (serial < 1 && !uses1904) return iso.slice(11, 19);
  return date.getTime() % MS_PER_DAY === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}

/**
 * Decodes the text of a cell: XML entities, and characters that XML cannot represent, which Excel writes as _xHHHH_.
 * Both can encode NUL or an unpaired surrogate; these are replaced, because databases cannot store them.
 */
function decodeText(text: string): string {
  const decoded = decodeXml(text).replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.toWellFormed().replaceAll('\0', '\uFFFD');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
