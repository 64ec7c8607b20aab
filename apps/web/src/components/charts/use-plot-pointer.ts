import type { PlotPlace } from '@heterosis/charts/plot-place';
import type { ECharts } from 'echarts/core';
import { type PointerEvent, useRef, useState } from 'react';

interface PlotPointer {
  onBrush: ((from: number, to: number) => void) | undefined;
  onPick: ((place: PlotPlace) => void) | undefined;
}

/** A movement shorter than this is a click. */
const CLICK_PX = 5;
const MOUSE_REACH_PX = 12;
const FINGER_REACH_PX = 24;
const AXES = { xAxisIndex: 0, yAxisIndex: 0 };

/**
 * Dragging sideways chooses a range, a click a place. The wheel and vertical swipes stay with the page (`touch-action:
 * pan-y` in the style sheet): a plot must not stop somebody who scrolls past it.
 */
export function usePlotPointer(chart: ECharts | undefined, { onBrush, onPick }: PlotPointer) {
  const start = useRef<{ x: number; y: number; pointerId: number }>(undefined);
  const [brush, setBrush] = useState<{ left: number; width: number; top: number; bottom: number }>();
  if (!chart || (!onBrush && !onPick)) return { events: {}, brush: undefined };

  const placeOf = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const toValues = (x: number, y: number): [number, number] => {
    const [valueX = 0, valueY = 0] = chart.convertFromPixel(AXES, [x, y]) as number[];
    return [valueX, valueY];
  };
  const forget = (): void => {
    start.current = undefined;
    setBrush(undefined);
  };

  const events = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const place = placeOf(event);
      if (event.button !== 0 || !chart.containPixel('grid', [place.x, place.y])) return;
      start.current = { ...place, pointerId: event.pointerId };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (!from || from.pointerId !== event.pointerId || !onBrush) return;
      const { x } = placeOf(event);
      if (!brush && Math.abs(x - from.x) < CLICK_PX) return;
      // From here on the movement is ours, also outside of the plot.
      if (!brush) event.currentTarget.setPointerCapture(event.pointerId);
      setBrush({ left: Math.min(x, from.x), width: Math.abs(x - from.x), ...gridEdges(chart) });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (!from || from.pointerId !== event.pointerId) return;
      const { x, y } = placeOf(event);
      const hasBrushed = brush !== undefined;
      forget();
      if (hasBrushed) {
        const ends = [toValues(from.x, from.y)[0], toValues(x, y)[0]] as const;
        onBrush?.(Math.min(...ends), Math.max(...ends));
        return;
      }
      const [valueX, valueY] = toValues(x, y);
      const [nextX, nextY] = toValues(x + 1, y + 1);
      onPick?.({
        x: valueX,
        y: valueY,
        xPerPixel: Math.abs(nextX - valueX),
        yPerPixel: Math.abs(nextY - valueY),
        reachPx: event.pointerType === 'mouse' ? MOUSE_REACH_PX : FINGER_REACH_PX,
      });
    },
    // The browser took the movement for scrolling the page.
    onPointerCancel: forget,
  };
  return { events, brush };
}

/** Distance of the plot's frame from the top and the bottom of its container. */
function gridEdges(chart: ECharts): { top: number; bottom: number } {
  const { grid } = chart.getOption() as { grid?: { top?: number; bottom?: number }[] };
  return { top: Number(grid?.[0]?.top ?? 0), bottom: Number(grid?.[0]?.bottom ?? 0) };
}
