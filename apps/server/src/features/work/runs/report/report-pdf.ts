import { optionOf } from '@heterosis/charts/report-charts';
import { printChart } from '../../../../platform/pdf/pdf-chart.ts';
import { printCode, qrCode } from '../../../../platform/pdf/pdf-code.ts';
import { BLACK, createPdf, GREY, LINK, type Pdf, printLine } from '../../../../platform/pdf/pdf-document.ts';
import { printParagraph, printTable } from '../../../../platform/pdf/pdf-table.ts';
import { mapsHeight, PAPER, printMaps } from './print-maps.ts';
import { type PartWidth, type Report, type ReportPart, type ReportTable, writtenRows } from './report.ts';

const CODE_SIDE = 62;
const LOGO = { width: 110, height: 30 };
/** A heading, and the first lines of what follows it. */
const HEADING_ROOM = 62;
const HALVES_GAP = 14;
const CAPTION = 7.5;
/** Height over width. */
const SHAPES: Record<PartWidth, number> = { whole: 0.38, twoThirds: 0.55, half: 0.86, third: 1.07 };
const TABLE_SIZE = 8;
const ROW_HEIGHT = TABLE_SIZE * 1.7;
const LABEL_WIDTH = 120;
const FACT_SIZE = 8;

/** A report: what was found, how, and from what, with a code that leads back to its page. */
export async function reportAsPdf(report: Report): Promise<Uint8Array> {
  const { name, kind, organization, project, link, date } = report;
  const pdf = createPdf({ title: `${kind}: ${name}`, size: report.page, date: new Date(date) });
  pdf.addPage();
  let y = printHead(pdf, report);
  if (report.description) y = printParagraph(pdf, report.description, y, { color: GREY }) + 4;
  for (const sentence of report.sentences) y = printParagraph(pdf, sentence, y, { size: 10.5 }) + 2;
  y += 6;
  if (report.inputs.length > 0) y = printFacts(pdf, report.inputs, y) + 8;
  y = printParts(pdf, report, y);
  if (report.methods !== '') y = printParagraph(pdf, report.methods, heading(pdf, 'Methods', y)) + 10;
  // A short one stays together.
  y = heading(pdf, 'Provenance', y, Math.min(130, 40 + report.provenance.length * 12));
  y = printFacts(pdf, report.provenance, y);
  if (link !== null) printParagraph(pdf, link, y + 4, { size: 8, color: GREY });
  return await pdf.bytes(`${project === null ? organization : `${organization}, ${project}`}: ${name}`);
}

/** Logo, organization, name and code. */
function printHead(pdf: Pdf, { name, kind, organization, project, link, date, logo }: Report): number {
  const { doc, area } = pdf;
  const right = area.left + area.width - CODE_SIDE;
  if (link !== null) {
    printCode(doc, qrCode(link, 1), { x: right, y: area.top, side: CODE_SIDE });
    doc.link(right, area.top, CODE_SIDE, CODE_SIDE, link);
  }
  const beside = area.width - (link === null ? 0 : CODE_SIDE + 12);
  let y = area.top;
  if (logo !== null) {
    doc.image(Buffer.from(logo), area.left, y, { fit: [LOGO.width, LOGO.height] });
    y += LOGO.height + 7;
  }
  doc.fillColor(GREY);
  printLine(doc, organization, { x: area.left, y, width: beside, size: 9 });
  doc.fillColor(BLACK);
  printLine(doc, name, { x: area.left, y: y + 14, width: beside, size: 17, smallest: 11, font: 'bold' });
  doc.fillColor(GREY);
  const place = project === null ? kind : `${kind} in the project ${project}`;
  printLine(doc, `${place}, ${date.slice(0, 10)}`, { x: area.left, y: y + 37, width: beside, size: 9 });
  doc.fillColor(BLACK);
  return Math.max(area.top + CODE_SIDE, y + 49) + 10;
}

function printParts(pdf: Pdf, { parts, link }: Report, from: number): number {
  const origin = link === null ? null : new URL(link).origin;
  let y = from;
  for (let k = 0; k < parts.length; k++) {
    const part = parts[k];
    if (part === undefined) continue;
    if (part.what === 'facts') {
      y = printFacts(pdf, part.facts, heading(pdf, part.title, y), addressIn(origin, part.links)) + 10;
      continue;
    }
    const next = parts[k + 1];
    const isPair = next !== undefined && next.what !== 'facts' && shareOf(part) + shareOf(next) <= 1;
    if (part.what === 'table' && shareOf(part) === 1)
      y = printReportTable(pdf, part, heading(pdf, part.title, y), origin);
    else y = printSideBySide(pdf, isPair ? [part, next] : [part], { y, origin });
    if (isPair) k++;
  }
  return y;
}

type Figure = Extract<ReportPart, { what: 'figure' }>;

const SHARES: Record<PartWidth, number> = { whole: 1, twoThirds: 0.66, half: 0.5, third: 0.34 };
const shareOf = ({ width = 'whole' }: Figure | ReportTable): number => SHARES[width];

function printReportTable(pdf: Pdf, table: ReportTable, y: number, origin: string | null): number {
  const { columns, links, shaded, note } = table;
  const end = printTable(
    pdf,
    {
      ...{ columns, rows: writtenRows(table), size: TABLE_SIZE, rowHeight: ROW_HEIGHT },
      isShaded: (row) => shaded?.includes(row) ?? false,
      linkOf: addressIn(origin, links),
    },
    y,
  );
  return note === undefined ? end + 14 : printParagraph(pdf, note, end + 3, { size: CAPTION, color: GREY }) + 12;
}

/** One figure, or figures and narrow tables side by side, on a new page where they do not fit. */
function printSideBySide(
  pdf: Pdf,
  parts: readonly (Figure | ReportTable)[],
  { y, origin }: { y: number; origin: string | null },
): number {
  const { doc, area } = pdf;
  let left = area.left;
  const placed = parts.map((part) => {
    const width = area.width * shareOf(part) - (shareOf(part) < 1 ? HALVES_GAP / 2 : 0);
    const x = left;
    left += width + HALVES_GAP;
    const caption = part.what === 'figure' ? part.caption : undefined;
    const lines = caption === undefined ? 0 : Math.ceil(widthInLines(pdf, caption, width, CAPTION));
    return { part, x, width, caption, lines };
  });
  const head = 15 + Math.max(...placed.map(({ lines }) => lines)) * CAPTION * 1.4 + 3;
  const heightOf = ({ part, width }: (typeof placed)[number]): number => {
    if (part.what === 'table') return (part.rows.length + 1) * ROW_HEIGHT - head + 15 + (part.note ? 24 : 0);
    if (part.figure.chart === 'field') return mapsHeight(part.figure.given, width);
    return part.height ?? width * SHAPES[part.width];
  };
  const body = Math.max(...placed.map(heightOf));
  let top = y;
  if (top + head + body > area.top + area.height) {
    pdf.addPage();
    top = area.top;
  }
  for (const one of placed) {
    const { part, x, width, caption } = one;
    doc.fillColor(BLACK);
    printLine(doc, part.title, { x, y: top, width, size: 9.5, smallest: 7.5, font: 'bold' });
    if (caption !== undefined) printParagraph(pdf, caption, top + 14, { size: CAPTION, color: GREY, left: x, width });
    const place = { x, y: top + head, width };
    if (part.what === 'table')
      printReportTable({ ...pdf, doc, area: { ...area, left: x, width } }, part, top + 15, origin);
    else if (part.figure.chart === 'field') printMaps(doc, part.figure.given, place);
    else printChart(doc, optionOf(part.figure, PAPER), { ...place, height: heightOf(one) });
  }
  doc.fillColor(BLACK);
  return top + head + body + 12;
}

/** Lines that a text takes, reckoned by its width with room for words that are broken off. */
const widthInLines = ({ doc }: Pdf, text: string, width: number, size: number): number =>
  doc.font('regular').fontSize(size).widthOfString(text) / (width * 0.92);

/** Where rows lead; nowhere for who holds a link. */
const addressIn =
  (origin: string | null, links: readonly (string | undefined)[] | undefined) =>
  (row: number): string | undefined =>
    origin === null ? undefined : links?.[row] && `${origin}${links[row]}`;

/** Labels in grey, values beside them, both on as many lines as they need. */
function printFacts(
  pdf: Pdf,
  facts: readonly (readonly [string, string])[],
  y: number,
  linkOf: (fact: number) => string | undefined = () => undefined,
): number {
  const { doc } = pdf;
  const width = LABEL_WIDTH - 8;
  let top = y;
  for (const [k, [label, value]] of facts.entries()) {
    const { area } = pdf;
    const link = linkOf(k);
    // A label goes over no page: its lines are few.
    const labelHeight = Math.ceil(widthInLines(pdf, label, width, FACT_SIZE)) * FACT_SIZE * 1.4;
    if (top + labelHeight > area.top + area.height) {
      pdf.addPage();
      top = area.top;
    }
    const color = link === undefined ? GREY : LINK;
    const labelEnd = printParagraph(pdf, label, top, { size: FACT_SIZE, color, width });
    if (link !== undefined) doc.link(area.left, top, width, labelEnd - top, link);
    const end = printParagraph(pdf, value, top, { size: FACT_SIZE, left: area.left + LABEL_WIDTH });
    // A value that went on to another page ends above its label.
    top = end > top ? Math.max(end, labelEnd) : end;
  }
  return top;
}

/** A heading with room for what follows it. */
function heading(pdf: Pdf, title: string, y: number, room = HEADING_ROOM): number {
  const { area } = pdf;
  let top = y;
  if (top + room > area.top + area.height) {
    pdf.addPage();
    top = area.top;
  }
  pdf.doc.fillColor(BLACK);
  printLine(pdf.doc, title, { x: area.left, y: top, width: area.width, size: 11, font: 'bold' });
  return top + 18;
}
