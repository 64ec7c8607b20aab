import { expect, test } from 'vitest';
import { createPdf, printLine } from './pdf-document.ts';

async function printed(text: string): Promise<string> {
  const pdf = createPdf({ title: 'Names', size: 'A4', date: new Date(0) });
  pdf.addPage();
  printLine(pdf.doc, text, { x: 40, y: 40, width: 400 });
  return Buffer.from(await pdf.bytes()).toString('hex');
}

test('what is copied from a document is what was written, whatever was printed before by the same glyphs', async () => {
  // Both are drawn by the same arrow.
  const typed = await printed('A -> B');
  const arrow = await printed('A → B');
  expect(arrow).not.toBe(typed);
  expect(await printed('A -> B')).toBe(typed);
});
