import type { Layout } from './layout.ts';
import type { View } from './paint.ts';

/** Of the canvas, in CSS pixels, with the device's pixels to each. */
export interface Size {
  width: number;
  height: number;
  ratio: number;
}

const LARGEST_SCALE = 2.5;
/** Largest scale that fitting and focusing choose. */
const READABLE_SCALE = 0.9;

/** The scale at which the whole graph is visible. */
function smallestScale({ width, height }: Pick<Layout, 'width' | 'height'>, size: Size): number {
  return Math.min(READABLE_SCALE, size.width / Math.max(1, width), size.height / Math.max(1, height)) * 0.95;
}

/** A point of the graph in the middle. */
export const centredOn = (scale: number, size: Size, x: number, y: number): View => ({
  scale,
  x: size.width / 2 - x * scale,
  y: size.height / 2 - y * scale,
});

export const fitted = (layout: Layout, size: Size): View =>
  centredOn(smallestScale(layout, size), size, layout.width / 2, layout.height / 2);

export const isWholeInSight = ({ width, height }: Layout, view: View, size: Size): boolean =>
  view.x >= 0 &&
  view.y >= 0 &&
  view.x + width * view.scale <= size.width &&
  view.y + height * view.scale <= size.height;

/** An individual in the middle, large enough to be read. */
export const focused = (view: View, layout: Layout, size: Size, place: number): View =>
  centredOn(Math.max(view.scale, READABLE_SCALE), size, layout.x[place] ?? 0, layout.y[place] ?? 0);

/** Larger by `factor` around a point of the canvas, which stays where it is. */
export function zoomed(
  view: View,
  layout: Layout | undefined,
  size: Size,
  factor: number,
  at: { x: number; y: number },
): View {
  const smallest = smallestScale(layout ?? { width: 1, height: 1 }, size);
  const scale = Math.min(LARGEST_SCALE, Math.max(smallest, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}
