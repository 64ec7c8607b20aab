import type { ChartColors } from './chart-colors.ts';
import type { ChartOption } from './chart-option.ts';

/** Room for the title of a saved picture and the line below it. */
export const PICTURE_HEAD_PX = 56;

/** A chart as it is saved: with its title and what has to be known of it, on the ground of the page. */
export function pictureOption(
  option: ChartOption,
  head: { title: string; note: string | undefined },
  colors: ChartColors,
): ChartOption {
  const { grid } = option as { grid?: object | object[] };
  const lower = (one: object): object => {
    const { top = 0 } = one as { top?: number | string };
    return typeof top === 'number' ? { ...one, top: top + PICTURE_HEAD_PX } : one;
  };
  return {
    ...option,
    grid: Array.isArray(grid) ? grid.map(lower) : lower(grid ?? {}),
    title: {
      text: head.title,
      left: 12,
      top: 8,
      textStyle: { color: colors.text, fontSize: 15, fontWeight: 600 },
      ...(head.note === undefined ? {} : { subtext: head.note }),
      subtextStyle: { color: colors.muted, fontSize: 12 },
      itemGap: 9,
    },
    backgroundColor: colors.ground,
  };
}
