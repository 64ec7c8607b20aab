import { expect, it } from 'vitest';
import { thresholdsOf } from './gwas-thresholds.ts';

it('draws the line of the false discovery rate below its weakest marker, and never above Bonferroni for one marker', () => {
  const { bonferroni, fdrLine, fdr } = thresholdsOf({ bonferroni: 0.05 / 2368, m: 2368, fdr: 1.1e-5, fdr_hits: 1 });
  expect(fdrLine).toBeCloseTo(bonferroni, 12);
  expect(fdrLine).toBeGreaterThan(fdr ?? 1);
  expect(thresholdsOf({ bonferroni: 1e-5, m: 5000, fdr: 9e-5, fdr_hits: 10 }).fdrLine).toBeCloseTo(1e-4, 12);
});

it('has no line where nothing passes, nor where nobody counted', () => {
  expect(thresholdsOf({ bonferroni: 1e-5, m: 5000, fdr: null, fdr_hits: 0 })).toMatchObject({
    fdrLine: undefined,
    fdrHits: 0,
  });
  expect(thresholdsOf({ bonferroni: 1e-5, m: 5000, fdr: 1e-6 }).fdrLine).toBeUndefined();
});
