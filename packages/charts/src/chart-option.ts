import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColors } from './chart-colors.ts';
import { FONT_FAMILY } from './font.ts';
import { formatTick } from './format.ts';

/** What a chart is given: ECharts' own option object. */
export type ChartOption = EChartsCoreOption;

export interface AxisOptions {
  name: string;
  min?: number | 'dataMin';
  max?: number | 'dataMax';
  interval?: number;
  type?: 'value' | 'category' | 'log';
  data?: string[];
  /** How the marks are written, where the values themselves are not (bp as Mb). */
  tick?: (value: number) => string;
}

/** An axis as the rest of the page is set: its name at the end, thin lines, 12 px. */
export function axis(colors: ChartColors, place: 'x' | 'y', options: AxisOptions): Record<string, unknown> {
  const { name, tick = formatTick, ...rest } = options;
  const hasNumbers = (options.type ?? 'value') === 'value';
  return {
    type: 'value',
    scale: true,
    name,
    nameLocation: 'middle',
    nameGap: place === 'x' ? 28 : 44,
    nameTextStyle: { color: colors.muted, fontSize: 12 },
    // At the edge also where the other axis has a zero within: the line would run through what is drawn there.
    axisLine: { show: true, onZero: false, lineStyle: { color: colors.line } },
    axisTick: { show: false },
    // A narrow window has no room for each number of an axis that was laid out for a wide one.
    axisLabel: { color: colors.muted, fontSize: 12, ...(hasNumbers ? { formatter: tick, hideOverlap: true } : {}) },
    splitLine: { show: place === 'y', lineStyle: { color: colors.line, opacity: 0.6 } },
    ...rest,
  };
}

/** The frame all charts share: margins, no animation, a tooltip in the colours of the page. */
export function frame(
  colors: ChartColors,
  margins: { left?: number; bottom?: number; right?: number; top?: number } = {},
) {
  return {
    animation: false,
    textStyle: { fontFamily: FONT_FAMILY, color: colors.text },
    grid: { left: 58, right: 16, top: 16, bottom: 44, ...margins },
    tooltip: {
      backgroundColor: colors.ground,
      borderColor: colors.line,
      textStyle: { color: colors.text, fontSize: 12 },
      confine: true,
      transitionDuration: 0,
    },
    aria: { enabled: false },
  };
}

const LABEL_PLACES = { left: 'insideStartTop', middle: 'insideMiddleTop', right: 'insideEndTop' } as const;

/** A line across the plot: a threshold or the 1:1 line's cousin. */
export function thresholdLine(
  colors: ChartColors,
  value: number,
  label: string,
  dash: number[] = [5, 4],
  side: keyof typeof LABEL_PLACES = 'right',
) {
  return {
    yAxis: value,
    lineStyle: { color: colors.threshold, type: dash, width: 1 },
    label: {
      formatter: label,
      color: colors.text,
      fontSize: 11,
      position: LABEL_PLACES[side],
      // Readable over points.
      textBorderColor: colors.ground,
      textBorderWidth: 3,
    },
  };
}

/** ECharts puts tooltips into the page as HTML; names come from users' files. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
