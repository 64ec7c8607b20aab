import { BLACK, createPdf, GREY, type PageSize, type Pdf, printLine } from '../../../platform/pdf/pdf-document.ts';
import { printHeading, printTable } from '../../../platform/pdf/pdf-table.ts';
import { inOrder, type Minutes, type MinutesLine } from './minutes.ts';
import { factsOf, percent, plain } from './minutes-words.ts';

/** Minutes on paper: who, what was on the table, what came of it, and each line with its marks and reasons. */
export async function minutesAsPdf(minutes: Minutes, size: PageSize): Promise<Uint8Array> {
  const { name, project, closed_at: closedAt, closed_by: closedBy, version, lines } = minutes;
  const pdf = createPdf({ title: `Minutes: ${name}`, size, date: new Date(closedAt) });
  pdf.addPage('landscape');
  const date = closedAt.slice(0, 16).replace('T', ' ');
  let y = printHeading(pdf, name, [
    `${project} · closed ${date} UTC by ${closedBy}${version > 1 ? ` · version ${version}` : ''}`,
    `Chair: ${minutes.chair ?? '–'} · marked by ${minutes.people.join(', ') || 'nobody'}`,
    ...(minutes.description === null ? [] : [minutes.description]),
  ]);
  y = printFacts(pdf, factsOf(minutes), y);
  y = printTable(
    pdf,
    {
      columns: [
        ...[{ title: 'Value' }, { title: 'What' }, { title: 'Run', stretches: true }, { title: 'Of' }],
        ...[{ title: 'Weight', align: 'right' as const }, { title: 'SHA-256' }],
      ],
      rows: minutes.columns.map((column) => [
        column.unit === null ? column.trait : `${column.trait} (${column.unit})`,
        ...[column.what, column.run_name, column.run_at.slice(0, 10), plain(column.weight), column.sha256.slice(0, 16)],
      ]),
      size: 7.5,
    },
    y,
  );
  const inIndex = minutes.columns.flatMap((column, c) => (column.in_index ? [{ ...column, c }] : [])).slice(0, 6);
  printTable(
    pdf,
    {
      columns: [
        ...[{ title: 'Line' }, { title: 'Decided' }, { title: 'Index', align: 'right' as const }],
        ...[
          { title: 'Beats check', align: 'right' as const },
          { title: 'In best', align: 'right' as const },
        ],
        ...inIndex.map(({ trait }) => ({ title: trait, align: 'right' as const })),
        { title: 'Marks and reasons', stretches: true },
      ],
      rows: inOrder(lines).map((line) => [
        ...[line.is_check ? `${line.name} (check)` : line.name, line.mark.toLowerCase(), plain(line.index)],
        ...[percent(line.beats_check), percent(line.among_best)],
        ...inIndex.map(({ c }) => plain(line.values[c] ?? null)),
        saidAbout(line),
      ]),
      ...{ size: 7.5, isShaded: (row) => inOrder(lines)[row]?.mark === 'ADVANCE' },
    },
    y + 14,
  );
  return await pdf.bytes(`${name} · ${project} · lines ${minutes.sha256.slice(0, 16)}`);
}

function printFacts({ doc, area }: Pdf, facts: readonly string[], y: number): number {
  let top = y;
  for (const [k, fact] of facts.entries()) {
    doc.fillColor(k < 3 ? BLACK : GREY);
    printLine(doc, fact, { x: area.left, y: top, width: area.width, size: 9, smallest: 6.5 });
    top += 13;
  }
  doc.fillColor(BLACK);
  return top + 6;
}

function saidAbout({ marks, settled_by: by, settled_reason: reason }: MinutesLine): string {
  const said = marks.map((one) => `${one.person}: ${one.mark.toLowerCase()}${one.reason && ` (${one.reason})`}`);
  const settled = by === null ? [] : [`settled by ${by}${reason ? ` (${reason})` : ''}`];
  return [...settled, ...said].join('; ');
}
