import type { Layout } from './layout.ts';
import type { Marks, Picture, View } from './paint.ts';
import { isWholeInSight, type Size } from './view.ts';

/** A small map of the whole graph, with a frame around what is visible. */
export interface OverviewMap {
  /** Paints all individuals again, for the frames that follow. */
  repaint(picture: Picture, marks: Marks, ratio: number): void;
  draw(layout: Layout, marks: Marks, view: View, size: Size): void;
  /** The point of the graph at a point of the map. */
  pointAt(layout: Layout, x: number, y: number): { x: number; y: number };
}

export function createOverviewMap(canvas: HTMLCanvasElement): OverviewMap | undefined {
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  const individuals = document.createElement('canvas');

  // Wide graphs of few generations fill the map too: its two directions have scales of their own.
  const scaleOf = (layout: Layout): { x: number; y: number } => ({
    x: canvas.clientWidth / Math.max(1, layout.width),
    y: canvas.clientHeight / Math.max(1, layout.height),
  });

  return {
    repaint({ layout }, marks, ratio) {
      Object.assign(canvas, { width: canvas.clientWidth * ratio, height: canvas.clientHeight * ratio });
      Object.assign(individuals, { width: Math.max(1, canvas.width), height: Math.max(1, canvas.height) });
      const onMap = individuals.getContext('2d');
      if (onMap === null) return;
      const scale = scaleOf(layout);
      const pixel = Math.max(2, Math.ceil(2 * ratio));
      for (const [place, i] of layout.order.entries()) {
        onMap.fillStyle = marks.fillOf(i);
        const [x, y] = [(layout.x[place] ?? 0) * scale.x, (layout.y[place] ?? 0) * scale.y];
        onMap.fillRect(x * ratio - 1, y * ratio - 1, pixel, pixel);
      }
    },
    draw(layout, { palette }, view, size) {
      if (canvas.width === 0) return;
      // Where all is in sight the map would only cover a part of it.
      canvas.style.visibility = isWholeInSight(layout, view, size) ? 'hidden' : 'visible';
      const scale = scaleOf(layout);
      context.fillStyle = palette.ground;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(individuals, 0, 0);
      context.strokeStyle = palette.accent;
      context.lineWidth = 1.5 * size.ratio;
      context.strokeRect(
        (-view.x / view.scale) * scale.x * size.ratio,
        (-view.y / view.scale) * scale.y * size.ratio,
        (size.width / view.scale) * scale.x * size.ratio,
        (size.height / view.scale) * scale.y * size.ratio,
      );
    },
    pointAt(layout, x, y) {
      const scale = scaleOf(layout);
      return { x: x / scale.x, y: y / scale.y };
    },
  };
}
