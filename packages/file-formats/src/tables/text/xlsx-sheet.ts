import type { ByteSource } from '../../byte-source.ts';
import { openZip, type ZipArchive } from '../../compression/zip-archive.ts';
import { FileFormatError } from '../../problem.ts';
import { encodingOfHead, withWholeHead } from '../../text/encoding.ts';
import { damagedWorkbook } from './damaged-workbook.ts';
import type { TableRow } from './delimited-text.ts';
import { MAX_ROWS, readRow, textOf, tooMany } from './xlsx-cells.ts';
import { dateStyles } from './xlsx-dates.ts';
import { attribute, decodeXml, ElementStream, elementsOf, firstElement, withoutPrefix } from './xml-elements.ts';

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
const MAX_ELEMENT_LENGTH = 8_000_000;
/** A table of lines and traits has some thousand different texts, one of genotype calls some million. */
const MAX_STRINGS = 8_000_000;

/**
 * Opens a sheet of an .xlsx workbook (ECMA-376 part 1, SpreadsheetML), by default the first. The sheet is streamed row
 * by row; only the shared strings are held. Throws {@link FileFormatError}: E-TYPE when the zip archive is no workbook
 * or damaged, E-WORKBOOK when the workbook contradicts itself, E-SHEET when it has no sheet of that name, E-TOO-LARGE.
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
  const context = {
    strings,
    isDateStyle,
    uses1904: /^(?:1|true)$/.test(attribute(firstElement(workbook, 'workbookPr')?.attributes ?? '', 'date1904')),
  };

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
      const row = readRow(xml, line, context);
      line = row.line;
      if (row.cells.some((cell) => cell !== '') && !visit(row)) return;
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
      throw damagedWorkbook(`Its sheet ${place + 1} is said to be in "${target}", which it does not hold.`);
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

/** The text of a part, in pieces. XML is UTF-8 or UTF-16. */
async function* textOfPart(zip: ZipArchive, name: string, maxBytes: number): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const chunk of withWholeHead(zip.stream(name, maxBytes))) {
      decoder ??= new TextDecoder(encodingOfHead(chunk)?.encoding ?? 'utf-8', { fatal: true });
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder?.decode() ?? '';
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw cause;
    throw damagedWorkbook(`Its part ${name} is no text in UTF-8 or UTF-16.`, { cause });
  }
}

async function readPart(zip: ZipArchive, name: string, root: string): Promise<string> {
  let text = '';
  for await (const piece of textOfPart(zip, name, MAX_PART_BYTES)) text += piece;
  return withoutPrefix(text, root);
}

/** The rows of a sheet, each as its XML without namespace prefixes. */
async function* rowElements(zip: ZipArchive, sheetPath: string): AsyncGenerator<string> {
  const rows = new ElementStream('worksheet', 'row', MAX_ELEMENT_LENGTH);
  let count = 0;
  for await (const piece of textOfPart(zip, sheetPath, MAX_SHEET_BYTES)) {
    for (const xml of rows.take(piece)) {
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
  if (!rows.hasRoot) throw noSheet();
  rows.end();
}

async function readSharedStrings(zip: ZipArchive): Promise<string[]> {
  const strings: string[] = [];
  const items = new ElementStream('sst', 'si', MAX_ELEMENT_LENGTH);
  for await (const piece of textOfPart(zip, 'xl/sharedStrings.xml', MAX_STRINGS_BYTES)) {
    for (const xml of items.take(piece)) strings.push(textOf(xml));
    if (items.isForeign || items.isTooLong || strings.length > MAX_STRINGS) {
      throw new FileFormatError('E-TOO-LARGE', {
        message: 'A text of the workbook is too large for a cell of a table.',
        suggestion: 'Check that this is the workbook you meant.',
      });
    }
  }
  items.end();
  return strings;
}
