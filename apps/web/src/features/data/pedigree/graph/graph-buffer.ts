import { type Marks, type Picture, paint, type View } from './paint.ts';
import type { Size } from './view.ts';

/** Pixels drawn beyond each side of the canvas, so that most of panning copies what is there. */
const MARGIN = 300;

/** The graph around what is visible, painted once and copied while the view only moves. */
export interface GraphBuffer {
  /** What was painted no longer holds. */
  invalidate(): void;
  drawOn(context: CanvasRenderingContext2D, picture: Picture, marks: Marks, view: View, size: Size): void;
}

export function createGraphBuffer(): GraphBuffer {
  const buffer = document.createElement('canvas');
  /** The view that the buffer shows; undefined when it has to be painted again. */
  let painted: View | undefined;

  const covers = (view: View): boolean =>
    painted?.scale === view.scale && Math.abs(view.x - painted.x) <= MARGIN && Math.abs(view.y - painted.y) <= MARGIN;

  function repaint(picture: Picture, marks: Marks, view: View, size: Size): void {
    const context = buffer.getContext('2d', { alpha: false });
    if (context === null) return;
    const width = size.width + 2 * MARGIN;
    const height = size.height + 2 * MARGIN;
    const pixels = { width: Math.ceil(width * size.ratio), height: Math.ceil(height * size.ratio) };
    if (buffer.width !== pixels.width || buffer.height !== pixels.height) Object.assign(buffer, pixels);
    context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    context.fillStyle = marks.palette.ground;
    context.fillRect(0, 0, width, height);
    paint(context, picture, marks, { ...view, x: view.x + MARGIN, y: view.y + MARGIN }, width, height);
    painted = { ...view };
  }

  return {
    invalidate() {
      painted = undefined;
    },
    drawOn(context, picture, marks, view, size) {
      if (!covers(view)) repaint(picture, marks, view, size);
      const shift = { x: view.x - (painted?.x ?? 0) - MARGIN, y: view.y - (painted?.y ?? 0) - MARGIN };
      context.drawImage(buffer, Math.round(shift.x * size.ratio), Math.round(shift.y * size.ratio));
    },
  };
}
