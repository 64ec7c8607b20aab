import type { ChartColors } from '@heterosis/charts/chart-colors';
import { cellPicture, type DrawnField, drawField } from '@heterosis/charts/field/draw-field';
import type { FieldGrid } from '@heterosis/charts/field/field-grid';
import { type FieldLayer, layerPixels } from '@heterosis/charts/field/field-layers';
import { type MapSize, mapHeight, wholeField } from '@heterosis/charts/field/field-view';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import classes from './field-map.module.css';
import type { FieldStore } from './field-store.ts';

/** One map of a field. It follows the store frame by frame, without being rendered again. */
export function FieldCanvas(props: {
  layer: FieldLayer;
  grid: FieldGrid;
  colors: ChartColors;
  store: FieldStore;
  /** All that maps of a field have in common. */
  shared: Omit<DrawnField, 'grid' | 'picture' | 'colors'>;
  /** Told by the first map: all are equally large. */
  onSize?: ((size: MapSize) => void) | undefined;
}) {
  const { layer, grid, colors, store, shared, onSize } = props;
  const { ref: frame, width: observed } = useElementSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  // The observer tells the width a frame late: the map would be painted too high, and what is below it would move.
  const [first, setFirst] = useState(0);
  useLayoutEffect(() => setFirst(canvas.current?.getBoundingClientRect().width ?? 0), []);
  const width = observed || first;
  const height = mapHeight(grid, width === 0 ? 320 : width);
  const picture = useMemo(() => cellPicture(layerPixels(layer, grid, colors), grid), [layer, grid, colors]);

  useEffect(() => {
    if (width > 0) onSize?.({ width, height });
  }, [width, height, onSize]);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context || width === 0) return;
    const scale = window.devicePixelRatio;
    canvas.current.width = Math.round(width * scale);
    canvas.current.height = Math.round(height * scale);
    const size = { width, height };
    const field: DrawnField = { ...shared, grid, picture, colors };
    let frameId: number | undefined;
    const draw = (): void => {
      frameId = undefined;
      context.setTransform(scale, 0, 0, scale, 0, 0);
      const state = store.get();
      drawField(context, size, field, { ...state, view: state.view ?? wholeField(grid, size) });
    };
    const ask = (): void => {
      frameId ??= requestAnimationFrame(draw);
    };
    draw();
    const unsubscribe = store.subscribe(ask);
    return () => {
      unsubscribe();
      if (frameId !== undefined) cancelAnimationFrame(frameId);
    };
  }, [width, height, grid, picture, colors, shared, store]);

  return (
    <div ref={frame} className={classes.canvasFrame} style={{ aspectRatio: `${width || 320} / ${height}` }}>
      <canvas ref={canvas} className={classes.canvas} data-field-map={layer.id} style={{ height }} />
    </div>
  );
}
