import type { ChartColors } from '../chart-colors.ts';
import { FONT_FAMILY } from '../font.ts';
import { colorOfGroup, type FieldLayer, groupsOf, scaleOf } from './field-layers.ts';

export function write(
  context: CanvasRenderingContext2D,
  text: string,
  { x, y, font, color }: { x: number; y: number; font: string; color: string },
): void {
  context.font = font;
  context.fillStyle = color;
  context.fillText(text, x, y);
}

/** What the colours of a map mean, on a line around `y`: as many groups as there is room for, or a scale. */
export function drawLegend(
  context: CanvasRenderingContext2D,
  layer: FieldLayer,
  { x, y, width }: { x: number; y: number; width: number },
  colors: ChartColors,
): void {
  const style = { y, font: `12px ${FONT_FAMILY}`, color: colors.muted };
  if (layer.kind === 'group') {
    let at = x;
    for (const [place, group] of groupsOf(layer.groups).entries()) {
      if (at > x + width - 40) break;
      context.fillStyle = colorOfGroup(layer, group, place, colors);
      context.fillRect(at, y - 5, 10, 10);
      write(context, group, { ...style, x: at + 14 });
      at += 26 + context.measureText(group).width;
    }
    return;
  }
  const { min, max, isDiverging } = layer.range;
  const scale = scaleOf(isDiverging, colors);
  write(context, layer.format(min), { ...style, x });
  const from = x + context.measureText(layer.format(min)).width + 8;
  const ramp = context.createLinearGradient(from, 0, from + 120, 0);
  for (const [place, color] of scale.entries()) ramp.addColorStop(place / (scale.length - 1), color);
  context.fillStyle = ramp;
  context.fillRect(from, y - 5, 120, 10);
  write(context, layer.format(max), { ...style, x: from + 128 });
}
