import { type BrokenFile, brokenFiles, repeated, utf16, zipOf } from './broken-file.ts';

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`;
const relations = (...targets: [type: string, target: string][]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
const WORKBOOK = `${XML}<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`;

function workbook(sheet: string | Uint8Array, parts: Record<string, string> = {}): Uint8Array {
  return zipOf({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': relations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/worksheets/sheet1.xml': sheet,
    ...parts,
  });
}

const text = (place: string, content: string) => `<c r="${place}" t="inlineStr"><is><t>${content}</t></is></c>`;
const number = (place: string, content: string) => `<c r="${place}"><v>${content}</v></c>`;
const row = (line: number, ...cells: string[]) => `<row r="${line}">${cells.join('')}</row>`;
const sheet = (...rows: string[]) => `${XML}<worksheet ${MAIN}><sheetData>${rows.join('')}</sheetData></worksheet>`;
const HEAD = row(1, text('A1', 'individual'), text('B1', 'Yield'));
const LAST = row(3, text('A3', 'B'), number('B3', '2.5'));
/** The good sheet with its second row, or both of its cells, written otherwise. */
const second = (cells: string, ...further: string[]) => sheet(HEAD, `<row r="2">${cells}</row>`, LAST, ...further);
const name = (content: string) => second(text('A2', content) + number('B2', '1.5'));
const value = (cell: string) => second(text('A2', 'A') + cell);
const beside = (...rows: string[]) => second(text('A2', 'A') + number('B2', '1.5'), ...rows);
const GOOD = beside();
const shared = (index: string) => second(`<c r="A2" t="s"><v>${index}</v></c>${number('B2', '1.5')}`);
const STRINGS = { 'xl/sharedStrings.xml': `${XML}<sst ${MAIN}><si><t>x</t></si></sst>` };
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

export const WORKBOOKS: BrokenFile[] = brokenFiles('workbook', {
  good: workbook(GOOD),
  'entities in entities': workbook(
    GOOD.replace(
      '?>',
      `?><!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">${repeated(9, (i) => `<!ENTITY ${String.fromCharCode(98 + i)} "${`&${String.fromCharCode(97 + i)};`.repeat(10)}">`)}]>`,
    ).replace('>A<', '>&j;<'),
  ),
  'entity of a file': workbook(
    GOOD.replace('?>', '?><!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/hostname">]>').replace('>A<', '>&x;<'),
  ),
  'shared text that is missing': workbook(shared('99'), STRINGS),
  'shared text below 0': workbook(shared('-1'), STRINGS),
  'shared text without number': workbook(shared(''), STRINGS),
  'no shared texts': workbook(shared('0')),
  'cell in the last corner': workbook(beside(row(1_048_576, number('XFD1048576', '1')))),
  'row beyond the last': workbook(beside(row(999_999_999, number('A999999999', '1')))),
  'column beyond the last': workbook(beside(row(4, number('XFE4', '1')))),
  'column of six letters': workbook(beside(row(4, number('ZZZZZZ4', '1')))),
  'cell without references': workbook(second('<c t="inlineStr"><is><t>A</t></is></c><c><v>1.5</v></c>')),
  'cell of another row': workbook(second(text('A9', 'A') + number('B9', '1.5'))),
  'cell twice': workbook(second(text('A2', 'A') + number('B2', '1.5') + number('B2', '9'))),
  'row twice': workbook(beside(row(3, text('A3', 'C'), number('B3', '9')))),
  'rows in disorder': workbook(sheet(HEAD, LAST, row(2, text('A2', 'A'), number('B2', '1.5')))),
  'sheet cut in a row': workbook(GOOD.slice(0, -60)),
  'sheet cut behind a row': workbook(GOOD.slice(0, GOOD.indexOf('</sheetData>'))),
  'archive cut': workbook(GOOD).subarray(0, -100),
  'no sheet': zipOf({ '[Content_Types].xml': TYPES, 'xl/workbook.xml': `${XML}<workbook ${MAIN}/>` }),
  'sheet elsewhere': workbook(GOOD, {
    'xl/_rels/workbook.xml.rels': relations(['worksheet', '../../../etc/hostname']),
  }),
  'empty sheet': workbook(sheet()),
  'sheet of another kind': workbook(`${XML}<chartsheet ${MAIN}/>`),
  error: workbook(value('<c r="B2" t="e"><v>#DIV/0!</v></c>')),
  'style that is missing': workbook(value('<c r="B2" s="1"><v>45000</v></c>')),
  'true among numbers': workbook(value('<c r="B2" t="b"><v>1</v></c>')),
  'formula without value': workbook(value('<c r="B2"><f>1+1</f></c>')),
  'formula with value': workbook(value('<c r="B2"><f>1+1</f><v>2</v></c>')),
  '1e999': workbook(value(number('B2', '1e999'))),
  'number of text': workbook(value(number('B2', 'abc'))),
  'merged to the last corner': workbook(
    GOOD.replace('</worksheet>', '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>'),
  ),
  'cell of 300 MB': () => workbook(beside(row(4, text('A4', 'x'.repeat(300_000_000))))),
  '40 million empty rows': () =>
    workbook(
      Buffer.concat([
        Buffer.from(GOOD.slice(0, GOOD.indexOf('</sheetData>'))),
        Buffer.from('<row/>'.repeat(40_000_000)),
        Buffer.from('</sheetData></worksheet>'),
      ]),
    ),
  'names with prefixes': workbook(
    GOOD.replace('<worksheet xmlns', '<worksheet xmlns:x').replace(/<(\/?)([a-z])/gi, '<$1x:$2'),
  ),
  encrypted: Buffer.concat([OLE, Buffer.alloc(3000)]),
  'NUL as _x0000_': workbook(name('_x0000_')),
  'NUL in an escape': workbook(name('_x005F_x0000_')),
  'half a character': workbook(name('_xD800_')),
  '& of its own': workbook(name('A & B')),
  'code that is no character': workbook(name('&#x110000;')),
  'NUL as a reference': workbook(name('&#0;')),
  'control character': workbook(name('A\u0001')),
  'UTF-16': workbook(utf16(GOOD.replace('UTF-8', 'UTF-16'))),
  'windows-1252': workbook(Buffer.from(name('Züchter'), 'latin1')),
});
