import type { ChartColors } from './chart-colors.ts';

/** By their names. */
export const COLORS: ChartColors = {
  dark: false,
  ground: 'white',
  text: 'black',
  muted: 'grey',
  line: 'silver',
  accent: 'green',
  mark: 'blue',
  tones: ['blue', 'slate'],
  threshold: 'red',
  series: ['blue', 'orange', 'teal'],
};
