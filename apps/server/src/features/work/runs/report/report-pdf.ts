import { printCode, qrCode } from '../../../../platform/pdf/pdf-code.ts';
import { createPdf, GREY, type Pdf, printLine } from '../../../../platform/pdf/pdf-document.ts';
import { printFigure } from '../../../../platform/pdf/pdf-figure.ts';
import { printParagraph, printTable } from '../../../../platform/pdf/pdf-table.ts';
import type { Report } from './report.ts';

const CODE_SIDE = 62;
const HEADING_ROOM = 60;

/** The report of a run: what it found, how, and from what, with a code that leads back to it. */
export async function reportAsPdf(report: Report): Promise<Uint8Array> {
  const { name, kind, organization, project, link, date } = report;
  const pdf = createPdf({ title: `${kind}: ${name}`, size: report.page, date: new Date(date) });
  pdf.addPage();
  const { doc, area } = pdf;
  if (link !== null) {
    printCode(doc, qrCode(link, 1), { x: area.left + area.width - CODE_SIDE, y: area.top, side: CODE_SIDE });
    doc.link(area.left + area.width - CODE_SIDE, area.top, CODE_SIDE, CODE_SIDE, link);
  }
  const beside = area.width - (link === null ? 0 : CODE_SIDE + 12);
  doc.fillColor(GREY);
  printLine(doc, organization, { x: area.left, y: area.top, width: beside, size: 9 });
  doc.fillColor('#111111');
  printLine(doc, name, { x: area.left, y: area.top + 15, width: beside, size: 17, smallest: 11, font: 'bold' });
  doc.fillColor(GREY);
  printLine(doc, `${kind}${project === null ? '' : ` in the project ${project}`}, ${date.slice(0, 10)}`, {
    ...{ x: area.left, y: area.top + 38, width: beside, size: 9 },
  });
  let y = area.top + CODE_SIDE + 10;
  if (report.description) y = printParagraph(pdf, report.description, y, { color: GREY }) + 4;
  for (const sentence of report.sentences) y = printParagraph(pdf, sentence, y, { size: 10.5 }) + 2;
  y += 6;
  for (const [role, input] of report.inputs) y = printParagraph(pdf, `${role}: ${input}`, y, { color: GREY });
  y += 8;
  for (const part of report.parts)
    if (part.what === 'figure') y = printFigure(pdf, part, y);
    else y = printTable(pdf, { ...part, size: 8 }, heading(pdf, part.title, y)) + 14;
  y = printParagraph(pdf, report.methods, heading(pdf, 'Methods', y)) + 10;
  y = heading(pdf, 'Provenance', y);
  for (const [label, value] of report.provenance) y = printParagraph(pdf, `${label}: ${value}`, y, { size: 8 });
  if (link !== null) printParagraph(pdf, link, y + 4, { size: 8, color: GREY });
  return await pdf.bytes(`${project === null ? organization : `${organization}, ${project}`}: ${name}`);
}

/** A heading with room for what follows it. */
function heading(pdf: Pdf, title: string, y: number): number {
  const { area } = pdf;
  let top = y;
  if (top + HEADING_ROOM > area.top + area.height) {
    pdf.addPage();
    top = area.top;
  }
  printLine(pdf.doc, title, { x: area.left, y: top, width: area.width, size: 11, font: 'bold' });
  return top + 18;
}
