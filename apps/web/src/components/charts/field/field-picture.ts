import type { ChartColors } from '@heterosis/charts/chart-colors';
import { drawLegend, write } from '@heterosis/charts/field/draw-legend';
import type { FieldLayer } from '@heterosis/charts/field/field-layers';
import { FONT_FAMILY } from '@heterosis/charts/font';

const HEAD_PX = 44;
const NAME_PX = 24;
const LEGEND_PX = 30;
const GAP_PX = 20;
const ACROSS = 2;

/** The maps as they are seen, with title, names and legends, as one PNG. */
export async function mapsPicture(
  frame: HTMLElement | null,
  { title, layers, colors }: { title: string; layers: readonly FieldLayer[]; colors: ChartColors },
): Promise<Blob | null> {
  const maps = [...(frame?.querySelectorAll<HTMLCanvasElement>('canvas[data-field-map]') ?? [])];
  const [first] = maps;
  if (!first) return null;
  const scale = window.devicePixelRatio;
  const [width, height] = [first.width / scale, first.height / scale];
  const across = Math.min(ACROSS, maps.length);
  const down = Math.ceil(maps.length / across);
  const picture = document.createElement('canvas');
  picture.width = (across * (width + GAP_PX) + GAP_PX) * scale;
  picture.height = (HEAD_PX + down * (NAME_PX + height + LEGEND_PX + GAP_PX)) * scale;
  const context = picture.getContext('2d');
  if (!context) return null;
  context.scale(scale, scale);
  context.fillStyle = colors.ground;
  context.fillRect(0, 0, picture.width, picture.height);
  context.textBaseline = 'middle';
  write(context, title, { x: GAP_PX, y: HEAD_PX / 2, font: `600 15px ${FONT_FAMILY}`, color: colors.text });
  for (const [place, map] of maps.entries()) {
    const layer = layers[place];
    if (!layer) continue;
    const x = GAP_PX + (place % across) * (width + GAP_PX);
    const y = HEAD_PX + Math.floor(place / across) * (NAME_PX + height + LEGEND_PX + GAP_PX);
    write(context, layer.title, { x, y: y + NAME_PX / 2, font: `600 13px ${FONT_FAMILY}`, color: colors.text });
    context.drawImage(map, x, y + NAME_PX, width, height);
    drawLegend(context, layer, { x, y: y + NAME_PX + height + LEGEND_PX / 2, width }, colors);
  }
  return new Promise((resolve) => picture.toBlob(resolve));
}
