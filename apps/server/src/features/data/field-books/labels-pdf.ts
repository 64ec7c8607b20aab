import {
  LABEL_SHEETS,
  type LabelsQuery,
  labelBoxes,
  labelLayout,
  labelLines,
  walked,
} from '@heterosis/contracts/data/field-books';
import { printCode, type QrCode, qrCode } from '../../../platform/pdf/pdf-code.ts';
import { BLACK, createPdf, POINTS_PER_MM, printLine } from '../../../platform/pdf/pdf-document.ts';
import type { PrintedPlot, PrintedTrial } from './printed-trial.ts';

/** Plots in the order of walking, each as often as asked, from a place of the first sheet on. */
export async function labelsAsPdf(printed: PrintedTrial, query: LabelsQuery): Promise<Uint8Array> {
  const { trial, plots } = printed;
  const sheet = LABEL_SHEETS[query.sheet];
  const boxes = labelBoxes(sheet);
  const pdf = createPdf({
    title: `Labels of ${trial.name}`,
    size: sheet.page,
    margin: 0,
    date: new Date(trial.updated_at),
  });
  let place = query.start - 1;
  pdf.addPage();
  for (const plot of walked(plots, query)) {
    const label = contentOf(printed, plot, query);
    for (let copy = 0; copy < query.copies; copy++) {
      if (place === boxes.length) {
        pdf.addPage();
        place = 0;
      }
      const { x, y } = boxes[place++] ?? { x: 0, y: 0 };
      pdf.doc.save().translate(x * POINTS_PER_MM, y * POINTS_PER_MM);
      printLabel(pdf.doc, label, query);
      pdf.doc.restore();
    }
  }
  return await pdf.bytes();
}

interface Label {
  lines: string[];
  code: QrCode;
}

function contentOf({ trial }: PrintedTrial, plot: PrintedPlot, { fields, code }: LabelsQuery): Label {
  return {
    lines: labelLines(fields, { plot, trial }),
    // Beside the border of two modules lies the inset of the label.
    code: qrCode(code === 'id' ? plot.id : plot.name, 2),
  };
}

function printLabel(doc: PDFKit.PDFDocument, { lines, code }: Label, { sheet }: LabelsQuery): void {
  const layout = labelLayout(LABEL_SHEETS[sheet], lines.length);
  const { x, y, side } = layout.code;
  printCode(doc, code, { x: x * POINTS_PER_MM, y: y * POINTS_PER_MM, side: side * POINTS_PER_MM });
  doc.fillColor(BLACK);
  for (const [index, { size, isBold, ...line }] of layout.lines.entries())
    printLine(doc, lines[index] ?? '', {
      ...{ x: line.x * POINTS_PER_MM, y: line.y * POINTS_PER_MM, width: line.width * POINTS_PER_MM },
      ...{ size: size * POINTS_PER_MM, smallest: size * POINTS_PER_MM * 0.7 },
      font: isBold ? 'bold' : 'regular',
    });
}
