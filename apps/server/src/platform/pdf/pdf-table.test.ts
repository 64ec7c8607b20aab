import { expect, test } from 'vitest';
import { createPdf, widthOf } from './pdf-document.ts';
import { printHeading, printTable } from './pdf-table.ts';
import { pageSize, pagesOf } from './testing.ts';

const date = new Date('2026-10-04T00:00:00Z');
const rows = Array.from({ length: 120 }, (_, row) => [`${row + 1}`, `Line ${row}`, '']);

async function document(options: { size?: 'A4' | 'LETTER'; heads?: string; rowCount?: number } = {}) {
  const { size = 'A4', heads = 'Plot', rowCount = rows.length } = options;
  const pdf = createPdf({ title: 'A table', size, date });
  pdf.addPage();
  const y = printHeading(pdf, 'Heading', ['below it']);
  printTable(
    pdf,
    {
      columns: [{ title: heads, align: 'right' }, { title: 'Name' }, { title: 'Yield', width: 60 }],
      ...{ rows: rows.slice(0, rowCount), hasGrid: true, rowHeight: 20 },
    },
    y,
  );
  return await pdf.bytes('foot');
}

test('equal input gives equal bytes, and other input others', async () => {
  expect(Buffer.compare(await document(), await document())).toBe(0);
  expect(Buffer.compare(await document(), await document({ heads: 'Plots' }))).not.toBe(0);
});

test('a table goes on over pages with its heads again, in either size of paper', async () => {
  // 842 points less margins of 40 and the heading leave 35 rows on the first page, and 37 below the heads on others.
  const pages = pagesOf(await document());
  expect(pages).toHaveLength(4);
  // The line below the heads is the only one of 0.8 points.
  for (const page of pages) expect(page.match(/^0\.8 w$/gm)).toHaveLength(1);
  expect(pagesOf(await document({ rowCount: 35 }))).toHaveLength(1);
  expect(pagesOf(await document({ rowCount: 36 }))).toHaveLength(2);
  expect(pageSize(await document())).toEqual([595.28, 841.89]);
  expect(pageSize(await document({ size: 'LETTER' }))).toEqual([612, 792]);
});

test('the font has Latin with its extensions, Greek and Cyrillic, and a character that it lacks is no fault', async () => {
  const { doc } = createPdf({ title: 'Characters', size: 'A4', date });
  doc.font('regular');
  const { font } = (doc as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })._font;
  const has = (character: string): boolean => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  for (const character of 'AÅÆÐñőűŁęžşğȘțθΩμЖщїљ×–…·°²½≤') expect(has(character), character).toBe(true);
  const pdf = createPdf({ title: '小麦', size: 'A4', date });
  pdf.addPage();
  printHeading(pdf, '小麦 قمح', []);
  expect(pagesOf(await pdf.bytes())).toHaveLength(1);
});

test('names cannot break a line, turn the direction of text or become an action of the document', async () => {
  const pdf = createPdf({ title: 'Names', size: 'A4', date });
  pdf.addPage();
  expect(widthOf(pdf.doc, 'a\n\u202eb')).toBe(widthOf(pdf.doc, 'a b'));
  printHeading(pdf, '=HYPERLINK("http://example.org")', ['<script>alert(1)</script> /JavaScript (app.alert(1))']);
  const text = Buffer.from(await pdf.bytes()).toString('latin1');
  expect(text).not.toMatch(/\/(?:JavaScript|JS|URI|AA|OpenAction|Annots)\b/);
});
