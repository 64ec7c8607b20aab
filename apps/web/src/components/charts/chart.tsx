import type { ECharts } from 'echarts/core';
import { useEffect, useRef, useState } from 'react';
import type { ChartOption } from './chart-option.ts';
import classes from './figure.module.css';

export interface ChartProps {
  option: ChartOption;
  /** What the chart shows, for those who do not see it. */
  label: string;
  height: number;
  /** Canvas for many points, SVG for few. */
  renderer?: 'canvas' | 'svg';
  /** A click on the plot: the values of the point, or of the place under the pointer. */
  onPoint?: (value: readonly number[]) => void;
  onReady?: (chart: ECharts) => void;
}

/** One ECharts chart that follows its container's width. ECharts is loaded when the first chart is shown. */
export function Chart({ option, label, height, renderer = 'svg', onPoint, onReady }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<ECharts>();
  const [failed, setFailed] = useState(false);
  const handlePoint = useRef(onPoint);
  handlePoint.current = onPoint;
  const handleReady = useRef(onReady);
  handleReady.current = onReady;

  useEffect(() => {
    const container = element.current;
    if (!container) return;
    let made: ECharts | undefined;
    let gone = false;
    const observer = new ResizeObserver(() => made?.resize());
    import('./echarts.ts').then(
      ({ init }) => {
        if (gone) return;
        made = init(container, undefined, { renderer });
        made.on('click', (event) => {
          const value = Array.isArray(event.value)
            ? event.value
            : ArrayBuffer.isView(event.value)
              ? Array.from(event.value as unknown as ArrayLike<number>)
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
    if (chart && !chart.isDisposed()) chart.setOption(option, { notMerge: true });
  }, [chart, option]);

  return (
    <div className={classes.plot} style={{ height }}>
      {failed && <p className={classes.failed}>The chart could not be loaded. The table shows the same figures.</p>}
      <div ref={element} role="img" aria-label={label} className={classes.canvas} />
    </div>
  );
}
