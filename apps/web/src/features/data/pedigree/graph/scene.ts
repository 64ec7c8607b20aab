import { pedigreePng } from './export-graph.ts';
import { createGraphBuffer } from './graph-buffer.ts';
import { placeAt } from './layout.ts';
import { createOverviewMap } from './overview-map.ts';
import type { Marks, Picture, View } from './paint.ts';
import { centredOn, fitted, focused, type Size, zoomed } from './view.ts';

/** A pedigree on a canvas, with a small map of the whole beside it. */
export interface Scene {
  show(picture: Picture, marks: Marks): void;
  resize(): void;
  panBy(dx: number, dy: number): void;
  /** Around a point of the canvas, by default its middle. */
  zoomBy(factor: number, at?: { x: number; y: number }): void;
  fit(): void;
  /** Brings an individual to the middle, large enough to be read. */
  focus(individual: number): void;
  /** The individual drawn at a point of the canvas; −1 for none. */
  individualAt(x: number, y: number): number;
  /** Brings a point of the map to the middle. */
  goTo(mapX: number, mapY: number): void;
  png(): Promise<Blob | null>;
  close(): void;
}

export function createScene(canvas: HTMLCanvasElement, mapCanvas: HTMLCanvasElement): Scene {
  const context = canvas.getContext('2d');
  const map = createOverviewMap(mapCanvas);
  if (context === null || map === undefined) throw new Error('this browser draws no canvas');
  const buffer = createGraphBuffer();
  let shown: { picture: Picture; marks: Marks } | undefined;
  let view: View = { scale: 1, x: 0, y: 0 };
  let size: Size = { width: 0, height: 0, ratio: 1 };
  let frame = 0;

  const schedule = (): void => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };

  function draw(): void {
    frame = 0;
    if (shown === undefined || context === null || size.width === 0) return;
    const { picture, marks } = shown;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = marks.palette.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    buffer.drawOn(context, picture, marks, view, size);
    map?.draw(picture.layout, marks, view, size);
  }

  /** After a change of more than the view. */
  const repaint = (): void => {
    buffer.invalidate();
    if (shown !== undefined) map.repaint(shown.picture, shown.marks, size.ratio);
  };

  const look = (next: View): void => {
    view = next;
    schedule();
  };

  const scene: Scene = {
    show(picture, marks) {
      const isNewLayout = shown?.picture.layout !== picture.layout;
      shown = { picture, marks };
      repaint();
      if (isNewLayout) scene.fit();
      schedule();
    },
    resize() {
      const isFirst = size.width === 0;
      size = { width: canvas.clientWidth, height: canvas.clientHeight, ratio: window.devicePixelRatio || 1 };
      Object.assign(canvas, { width: size.width * size.ratio, height: size.height * size.ratio });
      repaint();
      if (isFirst) scene.fit();
      schedule();
    },
    panBy: (dx, dy) => look({ ...view, x: view.x + dx, y: view.y + dy }),
    zoomBy: (factor, at = { x: size.width / 2, y: size.height / 2 }) =>
      look(zoomed(view, shown?.picture.layout, size, factor, at)),
    fit() {
      if (shown !== undefined && size.width > 0) look(fitted(shown.picture.layout, size));
    },
    focus(individual) {
      const place = shown?.picture.layout.placeOf[individual] ?? -1;
      if (shown !== undefined && place >= 0) look(focused(view, shown.picture.layout, size, place));
    },
    individualAt(x, y) {
      if (shown === undefined) return -1;
      const { layout } = shown.picture;
      const place = placeAt(layout, (x - view.x) / view.scale, (y - view.y) / view.scale);
      return place < 0 ? -1 : (layout.order[place] ?? -1);
    },
    goTo(mapX, mapY) {
      if (shown === undefined) return;
      const { x, y } = map.pointAt(shown.picture.layout, mapX, mapY);
      look(centredOn(view.scale, size, x, y));
    },
    png: async () => (shown === undefined ? null : pedigreePng(shown.picture, shown.marks)),
    close() {
      cancelAnimationFrame(frame);
    },
  };
  return scene;
}
