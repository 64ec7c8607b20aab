import { FONT_FAMILY } from '@heterosis/charts/font';
import type { ManhattanPoints } from './manhattan-data.ts';

export interface PlotColors {
  text: string;
  line: string;
  accent: string;
  /** Two alternating tones of the chromosomes. */
  tones: [string, string];
}

const MARGIN = { left: 40, right: 8, top: 22, bottom: 34 };
const POINT_PX = 1.7;
/** Of markers beyond the threshold. */
const HIT_PX = 3.2;

export interface Size {
  width: number;
  height: number;
}

/** Where shares of the axes lie in a plot of this size, in CSS pixels. */
export const toPixels = (size: Size, points: Pick<ManhattanPoints, 'largest'>) => {
  const width = size.width - MARGIN.left - MARGIN.right;
  const height = size.height - MARGIN.top - MARGIN.bottom;
  return {
    toX: (share: number): number => MARGIN.left + share * width,
    toY: (value: number): number => MARGIN.top + height * (1 - value / points.largest),
  };
};

/** Draws the plot for a canvas of this size in CSS pixels; the context is scaled already. */
export function drawManhattan(
  context: CanvasRenderingContext2D,
  size: Size,
  points: ManhattanPoints,
  colors: PlotColors,
  labels: { x: string; y: string; threshold: string },
  /** The point under the mouse. */
  pointed?: number,
): void {
  const width = size.width - MARGIN.left - MARGIN.right;
  const height = size.height - MARGIN.top - MARGIN.bottom;
  const { toX, toY } = toPixels(size, points);

  context.clearRect(0, 0, size.width, size.height);
  context.font = `12px ${FONT_FAMILY}`;
  context.lineWidth = 1;
  context.fillStyle = colors.text;
  context.strokeStyle = colors.line;

  const step = points.largest > 8 ? 2 : 1;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let value = 0; value <= points.largest; value += step) {
    const y = Math.round(toY(value)) + 0.5;
    context.globalAlpha = value === 0 ? 1 : 0.5;
    context.beginPath();
    context.moveTo(MARGIN.left, y);
    context.lineTo(size.width - MARGIN.right, y);
    context.stroke();
    context.globalAlpha = 1;
    context.fillText(String(value), MARGIN.left - 8, y);
  }

  context.textAlign = 'center';
  context.textBaseline = 'top';
  for (const one of points.chromosomes) {
    context.fillText(one.name, toX((one.start + one.end) / 2), size.height - MARGIN.bottom + 5);
  }
  context.fillText(labels.x, MARGIN.left + width / 2, size.height - 13);
  context.save();
  context.translate(11, MARGIN.top + height / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = 'middle';
  context.fillText(labels.y, 0, 0);
  context.restore();

  const threshold = Math.round(toY(points.bonferroni)) + 0.5;
  context.strokeStyle = colors.accent;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(MARGIN.left, threshold);
  context.lineTo(size.width - MARGIN.right, threshold);
  context.stroke();
  context.setLineDash([]);
  context.textAlign = 'center';
  context.textBaseline = 'bottom';
  context.fillStyle = colors.text;
  context.fillText(labels.threshold, MARGIN.left + width / 2, threshold - 3);

  for (const [tone, color] of colors.tones.entries()) {
    context.fillStyle = color;
    context.beginPath();
    for (let index = 0; index < points.x.length; index++) {
      if ((points.chromosome[index] ?? 0) % 2 !== tone) continue;
      const x = toX(points.x[index] ?? 0);
      const y = toY(points.negLog10P[index] ?? 0);
      const radius = (points.negLog10P[index] ?? 0) > points.bonferroni ? HIT_PX : POINT_PX;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
    context.fill();
  }

  drawLoci(context, points, toX, colors);
  if (pointed === undefined) return;
  const x = toX(points.x[pointed] ?? 0);
  const y = toY(points.negLog10P[pointed] ?? 0);
  context.strokeStyle = colors.text;
  context.beginPath();
  context.arc(x, y, HIT_PX + 3, 0, 2 * Math.PI);
  context.moveTo(x, y + HIT_PX + 3);
  context.lineTo(x, size.height - MARGIN.bottom);
  context.stroke();
}

/** A triangle above the plot at each true locus, with a line down to its markers. */
function drawLoci(
  context: CanvasRenderingContext2D,
  points: ManhattanPoints,
  toX: (share: number) => number,
  colors: PlotColors,
): void {
  context.fillStyle = colors.accent;
  for (const locus of points.loci) {
    const x = toX(locus.x);
    context.beginPath();
    context.moveTo(x - 5, MARGIN.top - 13);
    context.lineTo(x + 5, MARGIN.top - 13);
    context.lineTo(x, MARGIN.top - 4);
    context.closePath();
    if (locus.isFound) context.fill();
    else context.stroke();
  }
}
