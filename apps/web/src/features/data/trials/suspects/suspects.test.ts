import { expect, test } from 'vitest';
import { type AnalysedTrait, marksOf, suspectsByPlot } from './suspects.ts';

const analysed = (trait: string, more: Partial<AnalysedTrait>): AnalysedTrait => ({
  ...{ trait, analysis_id: 'a', analysis_name: 'A', analysed_at: '2026-08-01T00:00:00Z', environment: 'Kiel' },
  ...{ outliers: [], suspicions: [], set_aside: [], ...more },
});

test('rings are what looks wrong, crosses what is set aside, of the trait that is shown or of all', () => {
  const swap = { kind: 'swap' as const, text: 'Swapped?', gain: 9, plots: [3, 4] };
  const byPlot = suspectsByPlot([
    analysed('Yield', { outliers: [{ plot: 2, statistic: 6, p: 0.01 }], suspicions: [swap] }),
    analysed('Height', { outliers: [{ plot: 4, statistic: -5, p: 0.02 }], set_aside: [{ plot: 1, reason: 'Hail' }] }),
  ]);
  const numbers = [4, 3, 2, 1];
  expect(marksOf(byPlot, numbers, undefined)).toEqual({ marked: [0, 1, 2], crossed: [3] });
  expect(marksOf(byPlot, numbers, 'Height')).toEqual({ marked: [0], crossed: [3] });
  expect(marksOf(byPlot, numbers, 'Yield')).toEqual({ marked: [0, 1, 2], crossed: [] });
  expect(byPlot.get(4)?.map(({ kind, trait }) => [kind, trait])).toEqual([
    ['suspicion', 'Yield'],
    ['outlier', 'Height'],
  ]);
});
