import { chartColors } from '@heterosis/charts/chart-colors';
import { type DrawnField, drawField } from '@heterosis/charts/field/draw-field';
import { drawLegend, write } from '@heterosis/charts/field/draw-legend';
import { fieldGrid, groupEdges } from '@heterosis/charts/field/field-grid';
import { layerPixels } from '@heterosis/charts/field/field-layers';
import { mapHeight, wholeField } from '@heterosis/charts/field/field-view';
import { FONT_FAMILY } from '@heterosis/charts/font';
import { layerOf, type MapsFigure } from '@heterosis/charts/report-charts';
import { type CellPicture, PdfCanvas } from '../../../../platform/pdf/pdf-canvas.ts';
import { POINTS_PER_PX } from '../../../../platform/pdf/pdf-chart.ts';

/** Paper has the colours of the light scheme. */
export const PAPER = chartColors('light');

const NAME_PX = 22;
const LEGEND_PX = 28;
const GAP_PX = 18;
/** Points. */
const LARGE = 400;
/** Columns of a field that is seen well at a quarter of the page. */
const NARROW = 24;

/** As the maps of pages take it. */
type Canvas2d = Parameters<typeof drawField>[0];

interface Place {
  x: number;
  y: number;
  width: number;
}

/** Four small fields beside each other, two large ones. */
const acrossOf = ({ layers, column }: MapsFigure['given'], width: number): number =>
  Math.min(layers.length, width > LARGE && new Set(column).size <= NARROW ? 4 : 2);

function sizeOf(given: MapsFigure['given'], width: number) {
  const across = acrossOf(given, width);
  const grid = fieldGrid({ row: [...given.row], column: [...given.column], plotShape: given.plotShape });
  const mapWidth = (width / POINTS_PER_PX - GAP_PX * (across - 1)) / across;
  return { across, grid, mapWidth, height: mapHeight(grid, mapWidth) };
}

/** Height of maps in points. */
export function mapsHeight(given: MapsFigure['given'], width: number): number {
  const { across, height } = sizeOf(given, width);
  return Math.ceil(given.layers.length / across) * (NAME_PX + height + LEGEND_PX) * POINTS_PER_PX;
}

/** Draws the maps of a field as its page has them. */
export function printMaps(doc: PDFKit.PDFDocument, given: MapsFigure['given'], { x, y, width }: Place): void {
  const { across, grid, mapWidth, height } = sizeOf(given, width);
  const { groups, labels } = given;
  const edges = groups ? groupEdges(grid, (plot) => groups[plot]) : [];
  for (const [k, one] of given.layers.entries()) {
    const layer = layerOf(one, String(k));
    const left = x + (k % across) * (mapWidth + GAP_PX) * POINTS_PER_PX;
    const top = y + Math.floor(k / across) * (NAME_PX + height + LEGEND_PX) * POINTS_PER_PX;
    const canvasAt = (down: number): Canvas2d => {
      const canvas = new PdfCanvas(doc, {
        ...{ x: left, y: top + down * POINTS_PER_PX, width: mapWidth, height, scale: POINTS_PER_PX },
      });
      return canvas as unknown as Canvas2d;
    };
    const name = { x: 0, y: NAME_PX / 2, font: `600 12px ${FONT_FAMILY}`, color: PAPER.text };
    const head = canvasAt(0);
    head.textBaseline = 'middle';
    write(head, layer.title, name);
    const picture: CellPicture = { pixels: layerPixels(layer, grid, PAPER), width: grid.columns, height: grid.rows };
    const size = { width: mapWidth, height };
    drawField(
      canvasAt(NAME_PX),
      size,
      {
        ...{ grid, edges, veil: undefined, colors: PAPER, marked: given.marked ?? [], crossed: given.crossed ?? [] },
        picture: picture as unknown as DrawnField['picture'],
        labelOf: labels && ((plot) => labels[plot] ?? ''),
      },
      { view: wholeField(grid, size), plot: undefined, brush: undefined, held: undefined },
    );
    const legend = canvasAt(NAME_PX + height);
    legend.textBaseline = 'middle';
    drawLegend(legend, layer, { x: 0, y: LEGEND_PX / 2, width: mapWidth }, PAPER);
  }
}
