import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Marks, Picture } from './graph/paint.ts';
import { createScene, type Scene } from './graph/scene.ts';
import classes from './pedigree.module.css';

export type GraphHandle = Pick<Scene, 'fit' | 'focus' | 'zoomBy' | 'png'>;

/** Pointers that moved less than this have clicked. */
const CLICK_PX = 4;
const PAN_STEP = 80;

/**
 * The graph: drag or wheel to move and zoom, click to select, with Shift to select several, double click to expand.
 * `onKey` is asked first, and says whether it has handled the key.
 */
export function PedigreeGraph(props: {
  ref: Ref<GraphHandle>;
  picture: Picture;
  marks: Marks;
  onSelect: (individual: number, isAdding: boolean) => void;
  onExpand: (individual: number) => void;
  onKey: (event: KeyboardEvent) => boolean;
  /** Over the corner of the graph. */
  children?: ReactNode;
}) {
  const { picture, marks, onSelect, onExpand, onKey } = props;
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<HTMLCanvasElement>(null);
  const scene = useRef<Scene>(null);

  useEffect(() => {
    if (canvas.current === null || map.current === null) return;
    const created = createScene(canvas.current, map.current);
    scene.current = created;
    const observer = new ResizeObserver(() => created.resize());
    observer.observe(canvas.current);
    created.resize();
    const element = canvas.current;
    // React listens passively, and the page would scroll.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      created.zoomBy(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
      created.close();
    };
  }, []);
  useEffect(() => scene.current?.show(picture, marks), [picture, marks]);
  useImperativeHandle(props.ref, () => ({
    fit: () => scene.current?.fit(),
    focus: (individual) => scene.current?.focus(individual),
    zoomBy: (factor) => scene.current?.zoomBy(factor),
    png: async () => (await scene.current?.png()) ?? null,
  }));

  const pointer = usePointer(scene, onSelect);
  const onMapPointer = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    scene.current?.goTo(event.clientX - left, event.clientY - top);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isHandled = onKey(event) || panned(event, scene.current);
    if (isHandled) event.preventDefault();
  };

  return (
    <div className={classes.graph}>
      <canvas
        ref={canvas}
        className={classes.canvas}
        tabIndex={0}
        role="application"
        aria-label={t('pedigree.graph')}
        aria-describedby="pedigree-keys"
        onKeyDown={onKeyDown}
        onDoubleClick={(event) => {
          const found = scene.current?.individualAt(event.nativeEvent.offsetX, event.nativeEvent.offsetY) ?? -1;
          if (found >= 0) onExpand(found);
        }}
        {...pointer}
      />
      <canvas
        ref={map}
        className={classes.map}
        aria-hidden="true"
        onPointerDown={onMapPointer}
        onPointerMove={onMapPointer}
      />
      {props.children}
    </div>
  );
}

/** Dragging with one pointer, pinching with two, and clicks. */
function usePointer(scene: { current: Scene | null }, onSelect: (individual: number, isAdding: boolean) => void) {
  const down = useRef(new Map<number, { x: number; y: number }>());
  const travelled = useRef(0);
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>): void => {
      event.currentTarget.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (down.current.size === 1) travelled.current = 0;
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>): void => {
      const before = down.current.get(event.pointerId);
      if (before === undefined) {
        const { offsetX, offsetY } = event.nativeEvent;
        const isOver = (scene.current?.individualAt(offsetX, offsetY) ?? -1) >= 0;
        event.currentTarget.style.cursor = isOver ? 'pointer' : 'grab';
        return;
      }
      const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
      const others = [...down.current].filter(([id]) => id !== event.pointerId);
      down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      travelled.current += Math.abs(dx) + Math.abs(dy);
      const [other] = others;
      if (other === undefined) {
        scene.current?.panBy(dx, dy);
        return;
      }
      const { x, y } = other[1];
      const apart = (px: number, py: number): number => Math.hypot(px - x, py - y);
      const { left, top } = event.currentTarget.getBoundingClientRect();
      scene.current?.zoomBy(apart(event.clientX, event.clientY) / Math.max(1, apart(before.x, before.y)), {
        x: (event.clientX + x) / 2 - left,
        y: (event.clientY + y) / 2 - top,
      });
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>): void => {
      const isLast = down.current.size === 1;
      down.current.delete(event.pointerId);
      if (!isLast || travelled.current > CLICK_PX) return;
      const found = scene.current?.individualAt(event.nativeEvent.offsetX, event.nativeEvent.offsetY) ?? -1;
      if (found >= 0) onSelect(found, event.shiftKey);
    },
    onPointerCancel: (event: PointerEvent<HTMLCanvasElement>): void => {
      down.current.delete(event.pointerId);
    },
  };
}

/** Keys that move the picture. */
function panned({ key }: KeyboardEvent, scene: Scene | null): boolean {
  if (scene === null) return false;
  if (key === '+' || key === '=') scene.zoomBy(1.25);
  else if (key === '-') scene.zoomBy(0.8);
  else if (key === '0') scene.fit();
  else if (key === 'ArrowLeft') scene.panBy(PAN_STEP, 0);
  else if (key === 'ArrowRight') scene.panBy(-PAN_STEP, 0);
  else if (key === 'ArrowUp') scene.panBy(0, PAN_STEP);
  else if (key === 'ArrowDown') scene.panBy(0, -PAN_STEP);
  else return false;
  return true;
}
