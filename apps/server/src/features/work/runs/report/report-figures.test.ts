import type { ReportFigure } from '@heterosis/charts/report-charts';
import { expect, test } from 'vitest';
import { pagesOf } from '../../../../platform/pdf/testing.ts';
import type { Report } from './report.ts';
import { reportAsPdf } from './report-pdf.ts';

const cross = {
  ...{ place: 0, cross: 'A×B', parent1: 'A', parent2: 'B', parent3: null, parent4: null, population: 'DH' as const },
  ...{ progeny: 100, parent1_value: 9, parent2_value: 11, parent3_value: null, parent4_value: null, mean: 10, sd: 1 },
  ...{ usefulness: 12, p_transgress: 0.16, expected_best: 12.5, sim_mean: 10, sim_sd: 1, kinship: 0.1 },
  ...{ segregating_markers: 50, correlation: 0.5 },
};
const axes = { x: 'Predicted (t/ha)', y: 'Observed (t/ha)' };
const points = [
  { name: 'a', x: 1, y: 2, group: 0 },
  { name: 'b', x: 2, y: 3, group: 1 },
];
const parents = { females: ['F1', 'F2'], males: ['M1'] };

/** One of each; the compiler names what is missing. */
const FIGURES: { [Chart in ReportFigure['chart']]: Extract<ReportFigure, { chart: Chart }>['given'] } = {
  distribution: { ...axes, values: [1, 2, 2, 3, 5] },
  scatter: { ...axes, points, groups: ['one', 'other'], identity: true },
  strip: { ...axes, groups: [{ name: '1', values: [0.1, 0.4, 0.5, 0.9] }] },
  means: {
    ...{ ...axes, plain: 'Entries', marked: 'Checks' },
    points: [
      { name: 'a', mean: 1, se: 0.2, isMarked: false },
      { name: 'b', mean: 2, se: 0.3, isMarked: true },
    ],
  },
  manhattan: {
    ...{ points: Float32Array.from([0, 100, 1, 0, 300, 7, 1, 50, 3]), chromosomes: ['1', '2'], y: '−log₁₀ p' },
    thresholds: [
      { label: 'Bonferroni 5 %', negLog10P: 5 },
      { label: 'FDR 5 %', negLog10P: 4 },
    ],
  },
  qq: {
    points: [
      [0.5, 0.4],
      [1, 1.2],
      [2, 2.9],
    ],
    m: 100,
  },
  heatmap: {
    map: { rows: ['a', 'b'], columns: ['a', 'b'], values: [1, -0.5, null, 1] },
    ...{ min: -1, max: 1, showNames: true, showValues: true, isDiverging: true },
  },
  factorial: {
    factorial: {
      ...{ trait: 'Yield', ...parents },
      hybrids: [
        { name: 'F1×M1', female: 0, male: 0, gebv: 1, genotypic: 2 },
        { name: 'F2×M1', female: 1, male: 0, gebv: 2, genotypic: null },
      ],
    },
    ...{ which: 'gebv', isLow: false },
  },
  tradeOff: {
    curve: [
      { coancestry: 0.01, value: 0.5 },
      { coancestry: 0.05, value: 1 },
    ],
    ...{ plan: { coancestry: 0.03, value: 0.8 }, value: 'Mean index' },
  },
  spread: { crosses: [cross], selection: { intensity: 2, accuracy: 1, isLow: false }, mean: 'Mean', sd: 'SD' },
  progeny: {
    detail: { place: 0, trait: 'Yield', histogram: { from: 7, to: 13, counts: [1, 5, 9, 5, 1] } },
    ...{ cross, isLow: false, value: 'Yield (t/ha)' },
  },
  ellipses: { ...axes, ellipses: [{ name: 'A×B', mean: [1, 2], sd: [1, 1], correlation: 0.3 }] },
  field: {
    ...{ row: [1, 1, 2], column: [1, 2, 1], groups: [1, 1, 2], marked: [0], crossed: [1], labels: ['a', 'b', 'c'] },
    layers: [
      { title: 'Yield (t/ha)', values: [1, 2, null], isDiverging: false },
      { title: 'Kind', groups: ['Entry', 'Check', 'Entry'], colors: { Check: '#d55e00' } },
    ],
  },
};

const reportOf = (chart: keyof typeof FIGURES): Report => ({
  ...{ page: 'A4', organization: 'Acme', logo: null, project: null, kind: 'Figure', name: chart, description: null },
  ...{ sentences: [], inputs: [], methods: '', provenance: [], link: null, date: '2026-11-28T20:00:00.000Z' },
  parts: [
    { what: 'figure', title: chart, width: 'half', figure: { chart, given: FIGURES[chart] } as ReportFigure },
    { what: 'table', title: 'Beside it', width: 'half', columns: [{ title: 'n' }], rows: [['1']] },
  ],
});

test.each(Object.keys(FIGURES) as (keyof typeof FIGURES)[])(
  'a figure of the kind %s is drawn on one page',
  async (chart) => {
    const bytes = await reportAsPdf(reportOf(chart));
    const pages = pagesOf(bytes);
    expect(pages).toHaveLength(1);
    // Paths and letters, no picture of it.
    expect(pages[0]).toMatch(/ (?:l|c)\n/);
    expect(pages[0]?.match(/\bBT\b/g)?.length ?? 0).toBeGreaterThan(6);
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('/Subtype /Image');
    // No letter and no point is at NaN.
    expect(pages[0]).not.toContain('NaN');
  },
);
