import type { Layout } from './layout.ts';
import { placeAt } from './layout.ts';
import { type Marks, type Picture, paint, type View } from './paint.ts';

/** Pixels drawn beyond each side of the canvas, so that most of panning copies what is there. */
const MARGIN = 300;
const LARGEST_SCALE = 2.5;
/** Largest scale that fitting and focusing choose. */
const READABLE_SCALE = 0.9;
/** Side of the largest picture that a PNG holds: browsers refuse more. */
const LARGEST_PNG = 8000;

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

export function createScene(canvas: HTMLCanvasElement, map: HTMLCanvasElement): Scene {
  const context = canvas.getContext('2d');
  const mapContext = map.getContext('2d');
  if (context === null || mapContext === null) throw new Error('this browser draws no canvas');
  let picture: Picture | undefined;
  let marks: Marks | undefined;
  let view: View = { scale: 1, x: 0, y: 0 };
  let size = { width: 0, height: 0, ratio: 1 };
  let frame = 0;
  const buffer = document.createElement('canvas');
  /** The view that the buffer shows; undefined when it has to be drawn anew. */
  let buffered: View | undefined;
  const mapPicture = document.createElement('canvas');

  const schedule = (): void => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };

  function draw(): void {
    frame = 0;
    if (picture === undefined || marks === undefined || context === null || size.width === 0) return;
    const moved = buffered === undefined ? undefined : { x: view.x - buffered.x, y: view.y - buffered.y };
    const isCovered =
      moved !== undefined &&
      buffered?.scale === view.scale &&
      Math.abs(moved.x) <= MARGIN &&
      Math.abs(moved.y) <= MARGIN;
    if (!isCovered) drawBuffer(picture, marks);
    const shift = { x: view.x - (buffered?.x ?? 0) - MARGIN, y: view.y - (buffered?.y ?? 0) - MARGIN };
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = marks.palette.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(buffer, Math.round(shift.x * size.ratio), Math.round(shift.y * size.ratio));
    drawMap();
  }

  function drawBuffer(shown: Picture, marked: Marks): void {
    const inBuffer = buffer.getContext('2d', { alpha: false });
    if (inBuffer === null) return;
    const width = size.width + 2 * MARGIN;
    const height = size.height + 2 * MARGIN;
    const pixels = { width: Math.ceil(width * size.ratio), height: Math.ceil(height * size.ratio) };
    if (buffer.width !== pixels.width || buffer.height !== pixels.height) Object.assign(buffer, pixels);
    inBuffer.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    inBuffer.fillStyle = marked.palette.ground;
    inBuffer.fillRect(0, 0, width, height);
    paint(inBuffer, shown, marked, { ...view, x: view.x + MARGIN, y: view.y + MARGIN }, width, height);
    buffered = { ...view };
  }

  // Wide graphs of few generations fill the map too: its two directions have scales of their own.
  const mapScale = (layout: Layout): { x: number; y: number } => ({
    x: map.clientWidth / Math.max(1, layout.width),
    y: map.clientHeight / Math.max(1, layout.height),
  });

  function drawWholeMap(shown: Picture, marked: Marks): void {
    Object.assign(map, { width: map.clientWidth * size.ratio, height: map.clientHeight * size.ratio });
    Object.assign(mapPicture, { width: Math.max(1, map.width), height: Math.max(1, map.height) });
    const inMap = mapPicture.getContext('2d');
    if (inMap === null) return;
    const scale = mapScale(shown.layout);
    const pixel = Math.max(2, Math.ceil(2 * size.ratio));
    for (const [place, i] of shown.layout.order.entries()) {
      inMap.fillStyle = marked.fillOf(i);
      const [x, y] = [(shown.layout.x[place] ?? 0) * scale.x, (shown.layout.y[place] ?? 0) * scale.y];
      inMap.fillRect(x * size.ratio - 1, y * size.ratio - 1, pixel, pixel);
    }
  }

  function drawMap(): void {
    if (picture === undefined || marks === undefined || mapContext === null || map.width === 0) return;
    // Where all is in sight the map would only cover a part of it.
    map.style.visibility = isWhole(picture.layout) ? 'hidden' : 'visible';
    const scale = mapScale(picture.layout);
    mapContext.fillStyle = marks.palette.ground;
    mapContext.fillRect(0, 0, map.width, map.height);
    mapContext.drawImage(mapPicture, 0, 0);
    mapContext.strokeStyle = marks.palette.accent;
    mapContext.lineWidth = 1.5 * size.ratio;
    mapContext.strokeRect(
      (-view.x / view.scale) * scale.x * size.ratio,
      (-view.y / view.scale) * scale.y * size.ratio,
      (size.width / view.scale) * scale.x * size.ratio,
      (size.height / view.scale) * scale.y * size.ratio,
    );
  }

  const isWhole = ({ width, height }: Layout): boolean =>
    view.x >= 0 &&
    view.y >= 0 &&
    view.x + width * view.scale <= size.width &&
    view.y + height * view.scale <= size.height;

  const centre = (x: number, y: number): void => {
    view = { ...view, x: size.width / 2 - x * view.scale, y: size.height / 2 - y * view.scale };
    schedule();
  };

  const smallestScale = (): number => {
    const { width = 1, height = 1 } = picture?.layout ?? {};
    return Math.min(READABLE_SCALE, size.width / Math.max(1, width), size.height / Math.max(1, height)) * 0.95;
  };

  const scene: Scene = {
    show(next, nextMarks) {
      const isNewLayout = picture?.layout !== next.layout;
      picture = next;
      marks = nextMarks;
      buffered = undefined;
      drawWholeMap(next, nextMarks);
      if (isNewLayout) scene.fit();
      schedule();
    },
    resize() {
      const isFirst = size.width === 0;
      size = { width: canvas.clientWidth, height: canvas.clientHeight, ratio: window.devicePixelRatio || 1 };
      Object.assign(canvas, { width: size.width * size.ratio, height: size.height * size.ratio });
      buffered = undefined;
      if (picture !== undefined && marks !== undefined) drawWholeMap(picture, marks);
      if (isFirst) scene.fit();
      schedule();
    },
    panBy(dx, dy) {
      view = { ...view, x: view.x + dx, y: view.y + dy };
      schedule();
    },
    zoomBy(factor, at = { x: size.width / 2, y: size.height / 2 }) {
      const scale = Math.min(LARGEST_SCALE, Math.max(smallestScale(), view.scale * factor));
      const ratio = scale / view.scale;
      view = { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
      schedule();
    },
    fit() {
      if (picture === undefined || size.width === 0) return;
      view = { ...view, scale: smallestScale() };
      centre(picture.layout.width / 2, picture.layout.height / 2);
    },
    focus(individual) {
      const place = picture?.layout.placeOf[individual] ?? -1;
      if (picture === undefined || place < 0) return;
      view = { ...view, scale: Math.max(view.scale, READABLE_SCALE) };
      centre(picture.layout.x[place] ?? 0, picture.layout.y[place] ?? 0);
    },
    individualAt(x, y) {
      if (picture === undefined) return -1;
      const place = placeAt(picture.layout, (x - view.x) / view.scale, (y - view.y) / view.scale);
      return place < 0 ? -1 : (picture.layout.order[place] ?? -1);
    },
    goTo(mapX, mapY) {
      if (picture === undefined) return;
      const scale = mapScale(picture.layout);
      centre(mapX / scale.x, mapY / scale.y);
    },
    async png() {
      if (picture === undefined || marks === undefined) return null;
      const { width, height } = picture.layout;
      const scale = Math.min(1.5, LARGEST_PNG / Math.max(1, width), LARGEST_PNG / Math.max(1, height));
      const whole = document.createElement('canvas');
      Object.assign(whole, { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
      const inWhole = whole.getContext('2d');
      if (inWhole === null) return null;
      inWhole.fillStyle = marks.palette.ground;
      inWhole.fillRect(0, 0, whole.width, whole.height);
      paint(inWhole, picture, marks, { scale, x: 0, y: 0 }, whole.width, whole.height);
      return await new Promise((resolve) => whole.toBlob(resolve, 'image/png'));
    },
    close() {
      cancelAnimationFrame(frame);
    },
  };
  return scene;
}
