import type { ChartColors } from './chart-colors.ts';

/** A point of a plot to ring and to name, in the units of its axes. */
export interface ChartRing {
  x: number;
  y: number;
  name: string;
  /** One of many: its name would write over the others. */
  isUnnamed?: boolean;
}

/** So many names fit beside each other, mostly without overlapping. */
const NAMED_UP_TO = 3;

/** Rings around what is selected, with names where they are few. */
export const ringsOf = <One>(chosen: readonly One[], place: (one: One) => ChartRing | undefined): ChartRing[] =>
  chosen.flatMap((one) => {
    const ring = place(one);
    return ring ? [{ ...ring, isUnnamed: chosen.length > NAMED_UP_TO }] : [];
  });

/** Width of a ring with its line, in pixels, and how far above it its name stands: above that of a threshold, too. */
export const RING_PX = 16;
export const RING_NAME_ABOVE_PX = 22;

/**
 * The rings as a series, for a saved picture. On the page they are laid over the plot instead (`RingOverlay`): a series
 * more would draw the hundred thousand points of a large plot once again, which takes seconds.
 */
export function ringSeries(rings: readonly ChartRing[], middle: number, colors: ChartColors): Record<string, unknown> {
  return {
    type: 'scatter',
    data: rings.map(({ x, y, name, isUnnamed = false }) => ({
      value: [x, y],
      // Inside the plot also at its right end.
      label: {
        show: !isUnnamed,
        formatter: name,
        position: x > middle ? 'left' : 'right',
        distance: 6,
        offset: [0, -RING_NAME_ABOVE_PX],
      },
    })),
    symbol: 'circle',
    symbolSize: RING_PX - 2,
    itemStyle: { color: 'transparent', borderColor: colors.threshold, borderWidth: 2 },
    label: { color: colors.text, fontSize: 12, textBorderColor: colors.ground, textBorderWidth: 3 },
    silent: true,
    z: 5,
  };
}
