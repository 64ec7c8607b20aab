import { type ChartRing, RING_NAME_ABOVE_PX, RING_PX } from '@heterosis/charts/rings';
import type { ECharts } from 'echarts/core';
import classes from './figure.module.css';
import { useChartColors } from './use-chart-colors.ts';

const AXES = { xAxisIndex: 0, yAxisIndex: 0 };

/**
 * Rings and names over the points they mean; outside of the part that is shown there is none. The chart's label tells
 * them.
 */
export function RingOverlay({ chart, rings }: { chart: ECharts; rings: readonly ChartRing[] }) {
  const { threshold } = useChartColors();
  if (chart.isDisposed()) return null;
  return rings.map((ring) => {
    const place = chart.convertToPixel(AXES, [ring.x, ring.y]) as number[] | undefined;
    const [left, top] = place ?? [];
    if (left === undefined || top === undefined || !chart.containPixel('grid', [left, top])) return null;
    return (
      <div
        key={ring.name}
        aria-hidden="true"
        className={classes.ring}
        style={{ left, top, width: RING_PX, height: RING_PX, borderColor: threshold }}
      >
        {!ring.isUnnamed && (
          <span
            className={classes.ringName}
            data-side={left > chart.getWidth() / 2 ? 'left' : 'right'}
            style={{ bottom: RING_NAME_ABOVE_PX - RING_PX / 2 }}
          >
            {ring.name}
          </span>
        )}
      </div>
    );
  });
}
