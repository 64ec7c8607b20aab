import { type FieldGrid, plotsIn } from '@heterosis/charts/field/field-grid';
import {
  cellAt,
  cellsBetween,
  type FieldView,
  type MapSize,
  moved,
  showing,
  wholeField,
  zoomed,
} from '@heterosis/charts/field/field-view';
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { FieldStore } from './field-store.ts';

/** A movement shorter than this is a click. */
const CLICK_PX = 4;
const ZOOM_STEP = 1.5;
/** What dragging, a click and Space do: select plots, move the field, or let two plots change places. */
export type FieldTool = 'select' | 'move' | 'swap';

/** Of a turn of the wheel by one pixel. */
const WHEEL_ZOOM = 0.0035;

interface Place {
  x: number;
  y: number;
}

/**
 * Mouse, finger and keys on the maps of a field. Dragging selects a rectangle, or moves the field where that is chosen
 * or the shift key is held; a click selects a plot, the wheel enlarges while Ctrl or ⌘ is held, so that the page
 * scrolls past. Arrow keys go from plot to plot. To swap, a plot is dragged onto another, or both are clicked in turn.
 */
export function useFieldPointer(options: {
  frame: RefObject<HTMLDivElement | null>;
  grid: FieldGrid;
  store: FieldStore;
  size: MapSize;
  tool: FieldTool;
  selected: ReadonlySet<number>;
  onSelect: (plots: Iterable<number>) => void;
  onSwap?: ((one: number, other: number) => void) | undefined;
}) {
  const { frame, grid, store, size, tool, selected, onSelect, onSwap } = options;
  const start = useRef<Place & { pointerId: number; view: FieldView; moves: boolean; isDragged: boolean }>(undefined);
  const anchor = useRef<number>(undefined);
  const viewNow = (): FieldView => store.get().view ?? wholeField(grid, size);
  const zoom = (factor: number, { x, y }: Place = { x: size.width / 2, y: size.height / 2 }): void =>
    store.set({ view: zoomed(viewNow(), { factor, x, y }, grid, size) });
  const reset = (): void => store.set({ view: undefined });

  const latest = useRef(zoom);
  latest.current = zoom;
  useEffect(() => {
    const element = frame.current;
    const turn = (event: WheelEvent): void => {
      const map = mapBelow(event);
      if (!map || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current(Math.exp(-event.deltaY * WHEEL_ZOOM), placeIn(map, event));
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [frame]);

  const plotAt = ({ x, y }: Place): number | undefined => {
    const plot = grid.plotAt[cellAt(viewNow(), x, y, grid) ?? -1];
    return plot === undefined || plot < 0 ? undefined : plot;
  };
  const toggle = (plot: number, isAdded: boolean): void => {
    if (!isAdded) return onSelect(selected.size === 1 && selected.has(plot) ? [] : [plot]);
    onSelect(selected.has(plot) ? [...selected].filter((one) => one !== plot) : [...selected, plot]);
  };

  /** Holds a plot, or lets the one that is held change places with this one. */
  const take = (plot: number): void => {
    const { held } = store.get();
    store.set({ held: held === undefined ? plot : undefined });
    if (held !== undefined && held !== plot) onSwap?.(held, plot);
  };

  const events = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      const map = mapBelow(event.nativeEvent);
      if (!map || event.button !== 0) return;
      const moves = tool === 'move' || event.shiftKey;
      start.current = { ...placeIn(map, event), pointerId: event.pointerId, view: viewNow(), moves, isDragged: false };
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const from = start.current;
      const map = mapBelow(event.nativeEvent);
      if (from?.pointerId !== event.pointerId) {
        if (map) store.set({ plot: plotAt(placeIn(map, event)) });
        return;
      }
      // A finger that selects by dragging could not scroll the page.
      if (!map || (event.pointerType === 'touch' && !from.moves && tool !== 'swap')) return;
      const to = placeIn(map, event);
      if (!from.isDragged && Math.hypot(to.x - from.x, to.y - from.y) < CLICK_PX) return;
      if (!from.isDragged) map.setPointerCapture(event.pointerId);
      if (!from.isDragged && !from.moves && tool === 'swap') store.set({ held: plotAt(from) });
      from.isDragged = true;
      if (from.moves) store.set({ view: moved(from.view, to.x - from.x, to.y - from.y, grid, size) });
      else if (tool === 'swap') store.set({ plot: plotAt(to) });
      else store.set({ brush: cellsBetween(from.view, from, to), plot: undefined });
    },
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const from = start.current;
      start.current = undefined;
      if (from?.pointerId !== event.pointerId) return;
      const { brush } = store.get();
      store.set({ brush: undefined });
      if (brush) return onSelect(plotsIn(grid, brush));
      const map = mapBelow(event.nativeEvent);
      const below = map ? plotAt(placeIn(map, event)) : undefined;
      if (tool === 'swap' && !from.moves) {
        if (below === undefined) store.set({ held: undefined });
        else take(below);
        return;
      }
      const plot = from.isDragged ? undefined : below;
      if (plot !== undefined) toggle(plot, event.ctrlKey || event.metaKey);
      else if (!from.isDragged) onSelect([]);
    },
    onPointerCancel: () => {
      start.current = undefined;
      store.set({ brush: undefined, held: undefined });
    },
    onPointerLeave: () => store.set({ plot: undefined }),
    onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      const { plot } = store.get();
      if (step) {
        const next = nextPlot(grid, plot, step[0] ?? 0, step[1] ?? 0);
        if (event.shiftKey) {
          anchor.current ??= plot ?? next;
          onSelect(plotsIn(grid, rangeOf(grid, anchor.current, next)));
        } else anchor.current = undefined;
        store.set({ plot: next, view: store.get().view && showing(viewNow(), grid.cellOf[next] ?? 0, grid, size) });
      } else if ((event.key === ' ' || event.key === 'Enter') && plot !== undefined) {
        if (tool === 'swap') take(plot);
        else toggle(plot, true);
      } else if (event.key === 'Escape' && store.get().held !== undefined) store.set({ held: undefined });
      else if (event.key === 'Escape' && selected.size > 0) onSelect([]);
      else if (event.key === '+' || event.key === '=') zoom(ZOOM_STEP);
      else if (event.key === '-') zoom(1 / ZOOM_STEP);
      else if (event.key === '0') reset();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  return { events, zoomIn: () => zoom(ZOOM_STEP), zoomOut: () => zoom(1 / ZOOM_STEP), reset };
}

const mapBelow = (event: Event): HTMLCanvasElement | undefined =>
  event.target instanceof HTMLCanvasElement && event.target.dataset['fieldMap'] !== undefined
    ? event.target
    : undefined;

function placeIn(map: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): Place {
  const box = map.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

/** The next plot in a direction, over holes; the same one at the edge of the field. */
function nextPlot(grid: FieldGrid, plot: number | undefined, down: number, right: number): number {
  if (plot === undefined) return grid.plotAt.find((one) => one >= 0) ?? 0;
  const cell = grid.cellOf[plot] ?? 0;
  let [row, column] = [Math.floor(cell / grid.columns) + down, (cell % grid.columns) + right];
  while (row >= 0 && row < grid.rows && column >= 0 && column < grid.columns) {
    const next = grid.plotAt[row * grid.columns + column] ?? -1;
    if (next >= 0) return next;
    row += down;
    column += right;
  }
  return plot;
}

function rangeOf(grid: FieldGrid, one: number, other: number) {
  const [a = 0, b = 0] = [grid.cellOf[one], grid.cellOf[other]];
  const [rows, columns] = [
    [a, b].map((cell) => Math.floor(cell / grid.columns)),
    [a, b].map((cell) => cell % grid.columns),
  ];
  return {
    fromRow: Math.min(...rows),
    toRow: Math.max(...rows),
    fromColumn: Math.min(...columns),
    toColumn: Math.max(...columns),
  };
}
