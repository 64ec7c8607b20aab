import type { ChartOption } from '@heterosis/charts/chart-option';
import type { PlotPlace } from '@heterosis/charts/plot-place';
import type { ChartRing } from '@heterosis/charts/rings';
import { Skeleton } from '@mantine/core';
import type { ECharts } from 'echarts/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './figure.module.css';
import { RingOverlay } from './ring-overlay.tsx';
import { usePlotPointer } from './use-plot-pointer.ts';

export interface ChartProps {
  option: ChartOption;
  /** What the chart shows, for those who do not see it. */
  label: string;
  height: number;
  /** Makes the plot a square, in any width: what is around it needs so much more width than height. */
  widerBy?: number | undefined;
  /** Canvas for many points, SVG for few. */
  renderer?: 'canvas' | 'svg';
  /** A click on the plot: the values of the point, or of the place under the pointer. */
  onPoint?: (value: readonly number[]) => void;
  /** Dragging sideways: the values of the x axis at both ends, the smaller first. */
  onBrush?: (from: number, to: number) => void;
  /** A click anywhere in the plot, for plots that look up the nearest point themselves. */
  onPick?: (place: PlotPlace) => void;
  /** Tooltip of a place, by the values of the axes, for plots that are one picture. */
  describeAt?: (x: number, y: number) => string | undefined;
  onReady?: (chart: ECharts) => void;
  /** Points that are ringed and named. They change without the plot being drawn again. */
  rings?: readonly ChartRing[];
}

const AXES = { xAxisIndex: 0, yAxisIndex: 0 };

/** One ECharts chart that follows its container's width. ECharts is loaded when the first chart is shown. */
export function Chart(props: ChartProps) {
  const { option, label, height, widerBy, renderer = 'svg' } = props;
  const { onPoint, onBrush, onPick, describeAt, onReady, rings = [] } = props;
  const { t } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<ECharts>();
  const [failed, setFailed] = useState(false);
  // Where the rings stand depends on what was drawn last.
  const [drawn, setDrawn] = useState<object>();
  const handlePoint = useRef(onPoint);
  handlePoint.current = onPoint;
  const handleReady = useRef(onReady);
  handleReady.current = onReady;

  useEffect(() => {
    const container = element.current;
    if (!container) return;
    let made: ECharts | undefined;
    let gone = false;
    const observer = new ResizeObserver(() => {
      made?.resize();
      setDrawn((before) => before && {});
    });
    import('@heterosis/charts/echarts').then(
      ({ init }) => {
        if (gone) return;
        made = init(container, undefined, { renderer });
        made.on('click', (event) => {
          const value = Array.isArray(event.value)
            ? event.value
            : isTypedArray(event.value)
              ? Array.from(event.value)
              : undefined;
          if (value) handlePoint.current?.(value.map(Number));
        });
        observer.observe(container);
        setChart(made);
        handleReady.current?.(made);
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
      observer.disconnect();
      made?.dispose();
    };
  }, [renderer]);

  useEffect(() => {
    if (!chart || chart.isDisposed()) return;
    chart.setOption(option, { notMerge: true });
    setDrawn({});
  }, [chart, option]);

  useEffect(() => {
    if (!chart || !describeAt) return;
    const over = chart.getZr();
    const show = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }): void => {
      const inside = chart.containPixel('grid', [offsetX, offsetY]);
      const [x = 0, y = 0] = inside ? (chart.convertFromPixel(AXES, [offsetX, offsetY]) as number[]) : [];
      const html = inside ? describeAt(x, y) : undefined;
      chart.dispatchAction(
        html === undefined
          ? { type: 'hideTip' }
          : { type: 'showTip', x: offsetX, y: offsetY, tooltip: { formatter: html } },
      );
    };
    over.on('mousemove', show);
    return () => over.off('mousemove', show);
  }, [chart, describeAt]);

  const pointer = usePlotPointer(chart, { onBrush, onPick });
  return (
    <div
      className={classes.plot}
      style={{ height: widerBy === undefined ? height : `min(${height}px, 100cqi - ${widerBy}px)` }}
      data-brush={onBrush !== undefined || undefined}
      {...pointer.events}
    >
      {failed && <p className={classes.failed}>{t('figure.notLoaded')}</p>}
      {!drawn && !failed && (
        <div className={classes.waiting} aria-hidden="true">
          <Skeleton height="100%" radius="sm" />
        </div>
      )}
      {pointer.brush && <div className={classes.brush} style={pointer.brush} />}
      <div ref={element} role="img" aria-label={label} className={classes.canvas} />
      {chart && drawn && rings.length > 0 && <RingOverlay chart={chart} rings={rings} />}
    </div>
  );
}

const isTypedArray = (value: unknown): value is ArrayLike<number> =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);
