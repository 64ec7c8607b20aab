import { type ChartColors, chartColors } from '@heterosis/charts/chart-colors';
import { useComputedColorScheme } from '@mantine/core';

export function useChartColors(): ChartColors {
  return chartColors(useComputedColorScheme('light'));
}
