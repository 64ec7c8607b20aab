import { describe, expect, it } from 'vitest';
import { escapeHtml } from './chart-option.ts';
import { chromosomeLengths, layoutGenome, locate, splitByTone } from './genome-axis.ts';
import { histogramRows } from './histogram.ts';
import { qqBand } from './qq.ts';
import { fiveNumbers } from './strip.ts';

describe('genome axis', () => {
  const points = Float32Array.from([0, 100, 1, 0, 300, 2, 1, 50, 3]);

  it('lays chromosomes end to end in the order given, with a gap', () => {
    const genome = layoutGenome(['1', '2'], chromosomeLengths(points, 2));
    expect([...genome.offsets]).toEqual([0, 306]);
    expect([...genome.middles]).toEqual([150, 331]);
    expect(genome.total).toBe(356);
  });

  it('finds the chromosome and the position of a place on the axis', () => {
    const genome = layoutGenome(['1', '2'], [300, 50]);
    expect(locate(genome, 250)).toEqual({ chromosome: 0, positionBp: 250 });
    expect(locate(genome, 316)).toEqual({ chromosome: 1, positionBp: 10 });
  });

  it('puts even and odd chromosomes into two series and loses no point', () => {
    const [even, odd] = splitByTone(points, layoutGenome(['1', '2'], [300, 50]));
    expect([...even]).toEqual([100, 1, 300, 2]);
    expect([...odd]).toEqual([356, 3]);
  });
});

describe('histogram', () => {
  it('names both bounds of every bin', () => {
    expect(histogramRows({ min: 0, max: 1, counts: [3, 5] })).toEqual([
      [0, 0.5, 3],
      [0.5, 1, 5],
    ]);
  });
});

describe('QQ band', () => {
  it('contains the expected value, is narrow in the middle and wide at the smallest p', () => {
    const m = 1000;
    const { low, high } = qqBand([3, 0.3], m);
    expect(low[0]).toBeLessThan(3);
    expect(high[0]).toBeGreaterThan(3);
    expect((high[0] ?? 0) - (low[0] ?? 0)).toBeGreaterThan(10 * ((high[1] ?? 0) - (low[1] ?? 0)));
  });
});

describe('strip', () => {
  it('gives quartiles as R does by default', () => {
    expect(fiveNumbers([1, 2, 3, 4])).toEqual([1, 1.75, 2.5, 3.25, 4]);
    expect(fiveNumbers([])).toBeUndefined();
  });
});

describe('tooltips', () => {
  it('show names from files as text, not as markup', () => {
    expect(escapeHtml('<img src=x onerror="1">')).not.toMatch(/[<>"]/);
  });
});
