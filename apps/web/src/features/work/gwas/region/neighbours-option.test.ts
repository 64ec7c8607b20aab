import type { ChartColors } from '@heterosis/charts/chart-colors';
import { thresholdsOf } from '@heterosis/charts/genome/gwas-thresholds';
import type { GwasMarker } from '@heterosis/contracts/work/gwas';
import { describe, expect, it } from 'vitest';
import { neighboursOption } from './neighbours-option.ts';

const colors = {
  dark: false,
  ground: 'white',
  text: 'black',
  muted: 'grey',
  line: 'silver',
  threshold: 'red',
} as ChartColors;

const neighbour = (id: string, pos: number, neg_log10_p: number, r2: number) => ({ id, pos, neg_log10_p, r2 });
const marker = {
  row: { id: 'M5', pos: 5_000_000, neg_log10_p: 7 },
  neighbours: [
    neighbour('M4', 4_900_000, 4, 0.8),
    neighbour('M5', 5_000_000, 7, 1),
    neighbour('<M6>', 5_100_000, 9, 0.2),
  ],
} as unknown as GwasMarker;

const option = neighboursOption(marker, { x: 'Mb', y: 'p', thisMarker: 'M5' }, colors) as unknown as {
  series: { data: { name: string; value: number[] }[] }[];
  yAxis: { max: number };
  tooltip: { formatter: (item: { name: string; value: number[] }) => string };
};

describe('the neighbours of a marker', () => {
  it('are points by position, p and r²; the marker itself is drawn once, on its own', () => {
    const [neighbours, self] = option.series;
    expect(neighbours?.data).toEqual([
      { name: 'M4', value: [4_900_000, 4, 0.8] },
      { name: '<M6>', value: [5_100_000, 9, 0.2] },
    ]);
    expect(self?.data).toEqual([{ name: 'M5', value: [5_000_000, 7] }]);
  });

  it('fit below the end of the axis, also one that is stronger than the marker', () => {
    expect(option.yAxis.max).toBeGreaterThan(9);
  });

  it('tell position, p and r² in the tooltip; names are text', () => {
    const text = option.tooltip.formatter({ name: '<M6>', value: [5_100_000, 9, 0.2] });
    expect(text).toContain('r² = 0.20');
    expect(text).toContain('5.1');
    expect(text).not.toContain('<M6>');
    expect(option.tooltip.formatter({ name: 'M5', value: [5_000_000, 7] })).not.toContain('r²');
  });
});

describe('thresholds', () => {
  it('take one expected marker of the whole scan as suggestive', () => {
    expect(thresholdsOf({ bonferroni: 2e-5, m: 2_500, fdr: 1e-4 })).toEqual({
      bonferroni: 2e-5,
      suggestive: 1 / 2_500,
      fdr: 1e-4,
    });
  });

  it('have no line for a false discovery rate that no marker passes', () => {
    expect(thresholdsOf({ bonferroni: 2e-5, m: 2_500, fdr: null }).fdr).toBeUndefined();
  });
});
