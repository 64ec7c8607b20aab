import { columnLabel, FileFormatError } from '../../problem.ts';
import { damagedWorkbook } from './damaged-workbook.ts';
import { isoDate } from './xlsx-dates.ts';
import { attribute, decodeXml, elementsOf, firstElement } from './xml-elements.ts';

/** Columns and rows of a sheet as Excel and LibreOffice have them. Empty ones cost time too, however small the file. */
const MAX_COLUMNS = 16_384;
export const MAX_ROWS = 1_048_576;

/** What cells refer to. */
export interface SheetContext {
  /** The shared texts of the workbook. */
  strings: readonly string[];
  /** Which cell styles show dates. */
  isDateStyle: readonly boolean[];
  /** Whether days are counted from 1904. */
  uses1904: boolean;
}

/**
 * The number of a row and its cells as text, by the XML of the row. `before` is the number of the row before it; rows
 * and cells that do not say where they stand follow the one before.
 *
 * @throws FileFormatError `E-WORKBOOK` when a row or cell is at no place that can be, at the place of an earlier one,
 * or refers to a text or style that is not in the workbook; `E-ENCODING` for characters that no text can hold
 */
export function readRow(xml: string, before: number, context: SheetContext): { line: number; cells: string[] } {
  const given = attribute(xml.slice(0, xml.indexOf('>') + 1), 'r');
  const line = given === '' ? before + 1 : Number(/^\d{1,7}$/.test(given) ? given : Number.NaN);
  if (line > MAX_ROWS || Number.isNaN(line)) {
    throw damagedWorkbook(
      `A row has the number "${given || line}", and a sheet has ${MAX_ROWS.toLocaleString('en')} rows.`,
    );
  }
  if (line <= before) throw damagedWorkbook(`Row ${line} stands behind row ${before}.`, { line });
  const cells: string[] = [];
  let count = 0;
  for (const { attributes, content } of elementsOf(xml, 'c')) {
    if (++count > MAX_COLUMNS) throw tooMany('cells in a row', MAX_COLUMNS);
    const index = placeOf(attribute(attributes, 'r'), cells.length, line);
    while (cells.length <= index) cells.push('');
    if (content !== undefined) cells[index] = cellText(attributes, content, { line, index }, context).trim();
  }
  return { line, cells };
}

/** A cell in messages. */
interface CellPlace {
  line: number;
  /** 0-based column. */
  index: number;
}

/** 0-based column of a cell by its reference, such as `AB12`; without one it is the `next`. */
function placeOf(reference: string, next: number, line: number): number {
  if (reference === '') return next;
  const [, letters = '', row = ''] = /^([A-Z]{1,3})(\d{1,7})$/i.exec(reference) ?? [];
  let index = 0;
  for (const letter of letters.toUpperCase()) index = index * 26 + (letter.charCodeAt(0) - 64);
  index--;
  if (index < 0 || index >= MAX_COLUMNS)
    throw damagedWorkbook(`A cell of row ${line} is called "${reference}", and columns go from A to XFD.`, { line });
  if (Number(row) !== line) throw damagedWorkbook(`The cell ${reference} stands in row ${line}.`, { line });
  if (index < next)
    throw damagedWorkbook(`The cell ${reference} stands twice, or behind a cell to its right.`, { line });
  return index;
}

function cellText(attributes: string, content: string, place: CellPlace, context: SheetContext): string {
  const type = attribute(attributes, 't');
  if (type === 'inlineStr') return storable(textOf(content), place);
  const value = firstElement(content, 'v')?.content;
  if (value === undefined) return unsavedFormula(content, place);
  if (type === 's') return sharedText(value, place, context);
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  if (type === 'str' || type === 'e' || type === 'd') return storable(decodeText(value), place);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return storable(decodeText(value), place);
  const style = attribute(attributes, 's') || '0';
  const isDate = context.isDateStyle[Number(style)];
  if (isDate === undefined && style !== '0') {
    throw damagedWorkbook(
      `The cell ${nameOf(place)} has a style that the workbook lacks, so that nobody can say whether ${number} is a date.`,
      { line: place.line },
    );
  }
  return isDate === true ? isoDate(number, context.uses1904) : String(number);
}

function sharedText(value: string, place: CellPlace, { strings }: SheetContext): string {
  const text = /^\s*\d+\s*$/.test(value) ? strings[Number(value)] : undefined;
  if (text !== undefined) return storable(text, place);
  throw damagedWorkbook(
    `The cell ${nameOf(place)} shows text ${value.trim()} of the workbook, which has ${strings.length} texts, counted from 0.`,
    { line: place.line },
  );
}

/**
 * Programs that do not calculate store formulas without a result. The cell then has the formula's text, so that it is
 * reported as not a number instead of silently counting as missing.
 */
function unsavedFormula(content: string, place: CellPlace): string {
  const formula = firstElement(content, 'f');
  return formula === undefined ? '' : storable(`=${decodeText(formula.content ?? '')}`, place);
}

const nameOf = ({ line, index }: CellPlace): string => `${columnLabel('', index)}${line}`;

/** All <t> of a shared or inline string, without phonetic readings (<rPh>). */
export function textOf(xml: string): string {
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

/** Decodes the text of a cell: XML entities, and what XML cannot represent, which Excel writes as _xHHHH_. */
function decodeText(text: string): string {
  return decodeXml(text).replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Codes that are no characters, and halves of one: what neither databases nor other programs take as text. */
// oxlint-disable-next-line no-control-regex -- these are looked for
const NO_TEXT = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;

function storable(text: string, place: CellPlace): string {
  if (text.isWellFormed() && !NO_TEXT.test(text)) return text;
  throw new FileFormatError('E-ENCODING', {
    line: place.line,
    column: columnLabel('', place.index),
    value: text.toWellFormed(),
    message: `The cell ${nameOf(place)} holds a code that is no character of a text.`,
    suggestion: 'Write the cell anew; the program that made the workbook may have damaged it.',
  });
}

export function tooMany(what: 'rows' | 'cells in a row', most: number): FileFormatError {
  return new FileFormatError('E-TOO-LARGE', {
    message: `The sheet has more ${what} than a spreadsheet can have, ${most.toLocaleString('en')}.`,
    suggestion: 'Save the table anew in a spreadsheet program, or as CSV.',
  });
}
