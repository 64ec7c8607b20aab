import { ScatterChart } from 'echarts/charts';
import { GridComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { expect, it } from 'vitest';
import type { ChartColors } from './chart-colors.ts';
import { pictureOption } from './picture-option.ts';
import { scatterOption } from './scatter.ts';

use([ScatterChart, GridComponent, TitleComponent, SVGRenderer]);

const colors = { text: '#111', muted: '#666', line: '#ddd', ground: '#fff', series: ['#0072B2'] } as ChartColors;

it('a saved picture carries its title and facts as text, above the plot', () => {
  const option = scatterOption([{ x: 1, y: 2, name: 'A' }], { x: 'x', y: 'y', format: String }, colors);
  const picture = pictureOption(option, { title: 'EarHT <2026>', note: 'n = 279 · λ = 0.98' }, colors);
  const chart = init(null, undefined, { renderer: 'svg', ssr: true, width: 600, height: 400 });
  chart.setOption(picture);
  const svg = chart.renderToSVGString();
  chart.dispose();
  expect(svg).toMatch(/<text[^>]*>EarHT &lt;2026&gt;<\/text>/);
  expect(svg).toMatch(/<text[^>]*>n = 279 · λ = 0.98<\/text>/);
  expect((picture as { grid: { top: number } }).grid.top).toBeGreaterThan(52);
});
