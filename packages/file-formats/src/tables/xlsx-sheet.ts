import type { ByteSource } from '../byte-source.ts';
import { openZip, type ZipArchive } from '../compression/zip-archive.ts';
import { FileFormatError } from '../problem.ts';
import type { TableRow } from './delimited-text.ts';

/** The first sheet of an Excel workbook, as rows of text. */
export interface XlsxSheet {
  /**
   * Rows in order, until `visit` returns false; empty rows are left out. `line` is Excel's row number. Formulas give their
   * cached value, dates ISO text (2026-01-31, with T12:00:00 when there is a time), booleans TRUE or FALSE, errors their name; a
   * formula without cached value its own text.
   */
  forEachRow(visit: (row: TableRow) => boolean, signal?: AbortSignal): Promise<void>;
}

const MAX_PART_BYTES = 50_000_000;
const MAX_STRINGS_BYTES = 400_000_000;
const MAX_SHEET_BYTES = 1_500_000_000;
/** XML of one row or one shared string; more is not a table. */
const MAX_ELEMENT_LENGTH = 64_000_000;
const MAX_COLUMNS = 16_384;

/**
 * Opens the first sheet of an .xlsx workbook (ECMA-376 part 1, SpreadsheetML). The sheet is streamed row by row; only the shared
 * strings are held. Throws {@link FileFormatError}: E-TYPE when the zip archive is no workbook or damaged, E-TOO-LARGE.
 */
export async function openXlsx(source: ByteSource): Promise<XlsxSheet> {
  const zip = await openZip(source);
  if (!zip.has('xl/workbook.xml')) {
    throw new FileFormatError('E-TYPE', {
      message: 'This is a zip archive, not a table.',
      suggestion: 'Unpack it and upload the table inside.',
    });
  }
  const workbook = await readPart(zip, 'xl/workbook.xml');
  const sheetPath = await firstSheetPath(zip, workbook);
  const strings = zip.has('xl/sharedStrings.xml') ? await readSharedStrings(zip) : [];
  const isDateStyle = zip.has('xl/styles.xml') ? dateStyles(await readPart(zip, 'xl/styles.xml')) : [];
  const uses1904 = /<(?:\w+:)?workbookPr\b[^>]*\bdate1904="(?:1|true)"/.test(workbook);

  async function forEachRow(visit: (row: TableRow) => boolean, signal?: AbortSignal): Promise<void> {
    let line = 0;
    for await (const xml of rowElements(zip, sheetPath)) {
      signal?.throwIfAborted();
      const number = Number(attribute(openingTag(xml), 'r'));
      line = number > 0 ? number : line + 1;
      const cells = rowCells(xml, strings, isDateStyle, uses1904);
      if (cells.some((cell) => cell !== '') && !visit({ line, cells })) return;
    }
  }
  return { forEachRow };
}

async function firstSheetPath(zip: ZipArchive, workbook: string): Promise<string> {
  const sheet = /<(?:\w+:)?sheet\b[^>]*>/.exec(workbook)?.[0];
  const id = sheet === undefined ? null : attribute(sheet, 'r:id') || (/\b\w+:id="([^"]*)"/.exec(sheet)?.[1] ?? '');
  if (id && zip.has('xl/_rels/workbook.xml.rels')) {
    const relations = await readPart(zip, 'xl/_rels/workbook.xml.rels');
    for (const [relation] of relations.matchAll(/<(?:\w+:)?Relationship\b[^>]*>/g)) {
      if (attribute(relation, 'Id') !== id) continue;
      const target = decodeXml(attribute(relation, 'Target'));
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;
      if (zip.has(path)) return path;
    }
  }
  if (zip.has('xl/worksheets/sheet1.xml')) return 'xl/worksheets/sheet1.xml';
  throw new FileFormatError('E-TYPE', {
    message: 'The workbook has no sheet with a table.',
    suggestion: 'Put the table on the first sheet and save the workbook again.',
  });
}

async function readPart(zip: ZipArchive, name: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of zip.stream(name, MAX_PART_BYTES)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** The rows of a sheet, each as its XML with namespace prefixes removed. */
async function* rowElements(zip: ZipArchive, sheetPath: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let buffer = '';
  let prefix: string | null = null;
  for await (const chunk of zip.stream(sheetPath, MAX_SHEET_BYTES)) {
    buffer += decoder.decode(chunk, { stream: true });
    if (prefix === null) {
      const root = /<(\w+:)?worksheet\b/.exec(buffer);
      if (root === null) continue;
      prefix = root[1] ?? '';
    }
    const closing = `</${prefix}row>`;
    let start = 0;
    for (let end = buffer.indexOf(closing); end >= 0; end = buffer.indexOf(closing, start)) {
      const piece = buffer.slice(start, end + closing.length);
      const xml = prefix === '' ? piece : piece.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</');
      // Empty elements (<row r="3"/>) in front of this one hold nothing: the last opening tag is the one that is closed here.
      const opening = Math.max(xml.lastIndexOf('<row '), xml.lastIndexOf('<row>'));
      if (opening >= 0) yield xml.slice(opening);
      start = end + closing.length;
    }
    buffer = buffer.slice(start);
    if (buffer.length > MAX_ELEMENT_LENGTH) {
      throw new FileFormatError('E-TOO-LARGE', {
        message: 'A row of the sheet is too large to be a row of a table.',
        suggestion: 'Check that this is the workbook you meant.',
      });
    }
  }
}

async function readSharedStrings(zip: ZipArchive): Promise<string[]> {
  const strings: string[] = [];
  const decoder = new TextDecoder();
  // Read as one text: an empty string is <si/>, which must keep its place in the list.
  let buffer = '';
  const item = /<(?:\w+:)?si\b[^>]*?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?si>)/g;
  for await (const chunk of zip.stream('xl/sharedStrings.xml', MAX_STRINGS_BYTES)) {
    buffer += decoder.decode(chunk, { stream: true });
    let consumed = 0;
    for (const match of buffer.matchAll(item)) {
      strings.push(textOf(match[1] ?? ''));
      consumed = match.index + match[0].length;
    }
    buffer = buffer.slice(consumed);
    if (buffer.length > MAX_ELEMENT_LENGTH) {
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
  let text = '';
  const visible = xml.replace(/<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g, '');
  for (const match of visible.matchAll(/<(?:\w+:)?t\b[^>]*?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?t>)/g)) text += match[1] ?? '';
  return decodeText(text);
}

function openingTag(xml: string): string {
  return xml.slice(0, xml.indexOf('>') + 1);
}

function attribute(tag: string, name: string): string {
  const start = tag.indexOf(` ${name}="`);
  if (start < 0) return '';
  const from = start + name.length + 3;
  return tag.slice(from, tag.indexOf('"', from));
}

const CELL = /<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g;
const VALUE = /<v\b[^>]*>([\s\S]*?)<\/v>/;

function rowCells(xml: string, strings: string[], isDateStyle: boolean[], uses1904: boolean): string[] {
  const cells: string[] = [];
  for (const match of xml.matchAll(CELL)) {
    const reference = attribute(match[1], 'r');
    const index = reference === '' ? cells.length : columnIndex(reference);
    if (index >= MAX_COLUMNS) continue;
    while (cells.length <= index) cells.push('');
    const content = match[2];
    if (content !== undefined) cells[index] = cellText(match[1], content, strings, isDateStyle, uses1904).trim();
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
  const value = VALUE.exec(content)?.[1];
  if (value === undefined) return unsavedFormula(content);
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  if (type === 'str' || type === 'e' || type === 'd') return decodeText(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return decodeText(value);
  return isDateStyle[Number(attribute(attributes, 's') || '0')] === true ? isoDate(number, uses1904) : String(number);
}

/**
 * Programs that do not calculate store formulas without a result. The formula's text then stands for the cell, so that it is
 * reported as a value that is no number and not silently taken as missing.
 */
function unsavedFormula(content: string): string {
  const formula = /<f\b[^>]*?(?:\/>|>([\s\S]*?)<\/f>)/.exec(content);
  return formula === null ? '' : `=${decodeText(formula[1] ?? '')}`;
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

/** Which cell styles show dates or times: built-in formats 14–22 and 45–47 (ECMA-376 §18.8.30), and custom ones with d, m, y, h or s. */
function dateStyles(styles: string): boolean[] {
  const custom = new Map<number, string>();
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\b[^>]*>/g)) {
    custom.set(Number(attribute(tag, 'numFmtId')), decodeXml(attribute(tag, 'formatCode')));
  }
  const isDate = (id: number): boolean => {
    const code = custom.get(id);
    if (code === undefined)
      return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
    return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general|_./gi, ''));
  };
  const cellFormats = /<(?:\w+:)?cellXfs\b[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(styles)?.[0] ?? '';
  return [...cellFormats.matchAll(/<(?:\w+:)?xf\b[^>]*>/g)].map(([tag]) => isDate(Number(attribute(tag, 'numFmtId'))));
}

const MS_PER_DAY = 86_400_000;

/** A serial day number as ISO text. Excel counts a 29 February 1900 that never was, so days before 1 March 1900 are one off. */
function isoDate(serial: number, uses1904: boolean): string {
  const epoch = uses1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const date = new Date(epoch + Math.round(serial * 86_400) * 1000);
  if (Number.isNaN(date.getTime()) || serial < 0) return String(serial);
  const iso = date.toISOString();
  if (serial < 1 && !uses1904) return iso.slice(11, 19);
  return date.getTime() % MS_PER_DAY === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}

/** Text of a cell: XML entities, and what XML cannot hold, which Excel writes as _xHHHH_. */
function decodeText(text: string): string {
  return decodeXml(text).replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
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
