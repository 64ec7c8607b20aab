import { zipChunks } from '../../compression/zip-writer.ts';

/** A sheet to be written: rows of texts and numbers, made while they are read. */
export interface SheetToWrite {
  /** At most 31 characters, none of `[]:*?/\`. */
  name: string;
  rows: Iterable<readonly (string | number | null)[]>;
}

/** Characters of XML that are put together before they are passed on. */
const CHUNK = 1 << 16;

/**
 * A workbook of Excel (ECMA-376 part 1, SpreadsheetML) as it is sent. Texts are inline strings, so a program that opens
 * it computes none of them; empty cells are left out. Numbers have to be finite.
 */
export function xlsxChunks(sheets: readonly SheetToWrite[]): AsyncGenerator<Uint8Array> {
  const numbered = sheets.map(({ name }, index) => ({ name, id: index + 1 }));
  const parts: (readonly [string, Iterable<string>])[] = [
    [
      '[Content_Types].xml',
      [
        `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
        `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
        `<Override PartName="/xl/workbook.xml" ContentType="${MAIN}.sheet.main+xml"/>`,
        ...numbered.map(
          ({ id }) => `<Override PartName="/xl/worksheets/sheet${id}.xml" ContentType="${MAIN}.worksheet+xml"/>`,
        ),
        '</Types>',
      ],
    ],
    ['_rels/.rels', relations([{ id: 1, type: 'officeDocument', target: 'xl/workbook.xml' }])],
    [
      'xl/workbook.xml',
      [
        `${HEAD}<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets>`,
        ...numbered.map(({ name, id }) => `<sheet name="${escaped(name)}" sheetId="${id}" r:id="rId${id}"/>`),
        '</sheets></workbook>',
      ],
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(numbered.map(({ id }) => ({ id, type: 'worksheet', target: `worksheets/sheet${id}.xml` }))),
    ],
    ...sheets.map(({ rows }, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(rows)] as const),
  ];
  return zipChunks(parts.map(([name, texts]) => [name, encoded(texts)] as const));
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relations = (targets: readonly { id: number; type: string; target: string }[]): string[] => [
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`,
  ...targets.map(
    ({ id, type, target }) => `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  ),
  '</Relationships>',
];

function* sheetXml(rows: SheetToWrite['rows']): Generator<string> {
  yield `${HEAD}<worksheet xmlns="${SPREADSHEET}"><sheetData>`;
  let number = 0;
  for (const row of rows) {
    number++;
    const cells = row.map((value, index) => {
      if (value === null || value === '') return '';
      const at = `${columnName(index)}${number}`;
      if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
      return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
    });
    yield `<row r="${number}">${cells.join('')}</row>`;
  }
  yield '</sheetData></worksheet>';
}

/** `A`, `B` … `Z`, `AA`: digits of base 26 without a zero. */
function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no other control characters than these three. */
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '').replaceAll(/[^\P{Cc}\t\n\r]/gu, '');

async function* encoded(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  let waiting = '';
  for (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  yield Buffer.from(waiting);
}
