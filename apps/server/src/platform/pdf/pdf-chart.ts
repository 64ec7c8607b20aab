import type { ChartOption } from '@heterosis/charts/chart-option';
import { init, setPlatformAPI } from '@heterosis/charts/echarts';
import { measured, PdfCanvas } from './pdf-canvas.ts';

export interface ChartPlace {
  x: number;
  y: number;
  /** Points. */
  width: number;
  height: number;
}

/** A pixel of a chart in points: its letters of 12 px are 7.9 points high. */
export const POINTS_PER_PX = 0.66;

/** Draws a chart as the page has it, in vectors and the fonts of the document. */
export function printChart(doc: PDFKit.PDFDocument, option: ChartOption, place: ChartPlace): void {
  const size = { width: place.width / POINTS_PER_PX, height: place.height / POINTS_PER_PX };
  setPlatformAPI({ measureText: (text, font) => measured(doc, text, font ?? '') });
  doc.save();
  const canvas = new PdfCanvas(doc, { x: place.x, y: place.y, ...size, scale: POINTS_PER_PX });
  const chart = init(canvas as unknown as Parameters<typeof init>[0], undefined, {
    ...{ renderer: 'canvas', ssr: true, devicePixelRatio: 1 },
    ...size,
  });
  try {
    chart.setOption(atOnce(option));
    const { storage, painter } = chart.getZr();
    // One by one: its own layers are pictures that are laid one over the other.
    for (const element of storage.getDisplayList(true)) {
      // A single element is drawn for no view, outside of which it would lie.
      element.culling = false;
      (painter as unknown as Painter).paintOne(canvas, element);
    }
  } finally {
    chart.dispose();
    doc.restore();
  }
}

interface Painter {
  paintOne(context: PdfCanvas, element: unknown): void;
}

/** No series is drawn frame by frame. */
function atOnce(option: ChartOption): ChartOption {
  const { series } = option as { series?: object[] };
  return { ...option, series: series?.map((one) => ({ ...one, progressive: 0 })) ?? [] };
}
