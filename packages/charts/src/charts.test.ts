import { describe, expect, it } from 'vitest';
import { escapeHtml } from './chart-option.ts';
import {
  chromosomeLengths,
  layoutGenome,
  locate,
  shift,
  splitByTone,
  viewOf,
  wholeChromosome,
  zoom,
} from './genome/genome-axis.ts';
import { nearestPoint, sideAwayFrom } from './genome/manhattan.ts';
import { alongQq, qqBand } from './genome/qq.ts';
import { histogramRows } from './histogram.ts';
import { axisToRoundEnd, roundRange, roundTicks } from './round-ticks.ts';
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

describe('a part of the genome', () => {
  const genome = layoutGenome(['1', '2', '3'], [3e6, 2e6, 1e6]);

  it('is what was dragged over on one chromosome, and never reaches beyond its ends', () => {
    expect(viewOf(genome, 1e6, 2e6)).toEqual({ start: 1e6, end: 2e6, chromosome: 0 });
    expect(viewOf(genome, 2.9e6, 3.05e6)).toEqual({ start: 2.9e6, end: 3e6, chromosome: 0 });
  });

  it('is whole chromosomes when the ends lie on several, and the genome when they lie on the first and the last', () => {
    expect(viewOf(genome, 1e6, 4e6)).toEqual({ start: 0, end: 3.06e6 + 2e6 });
    expect(viewOf(genome, 1, genome.total - 1)).toBeUndefined();
  });

  it('grows to the chromosome and then to the genome, and shrinks around its middle', () => {
    const part = { start: 1e6, end: 2e6, chromosome: 0 };
    expect(zoom(genome, part, 0.5)).toEqual({ start: 1.25e6, end: 1.75e6, chromosome: 0 });
    expect(zoom(genome, part, 100)).toEqual(wholeChromosome(genome, 0));
    expect(zoom(genome, wholeChromosome(genome, 0), 3)).toBeUndefined();
  });

  it('moves on to the next chromosome at an end, and from the last to the first', () => {
    expect(shift(genome, { start: 2e6, end: 3e6, chromosome: 0 }, 1).chromosome).toBe(1);
    expect(shift(genome, { start: 1e6, end: 2e6, chromosome: 0 }, 1)).toEqual({
      start: 1.5e6,
      end: 2.5e6,
      chromosome: 0,
    });
    expect(shift(genome, wholeChromosome(genome, 2), 1)).toEqual(wholeChromosome(genome, 0));
  });

  it('has round marks on its axis', () => {
    expect(roundTicks(0, 6)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(axisToRoundEnd(11.9)).toEqual({ max: 14, interval: 2 });
    expect(roundRange(75.17, 107.76)).toEqual({ min: 75, max: 110, interval: 5 });
    expect(roundTicks(278_720_000, 282_720_000)).toEqual([279e6, 280e6, 281e6, 282e6]);
    expect(roundTicks(8, 136)).toEqual([20, 40, 60, 80, 100, 120]);
  });

  it('has the name of a line where the ringed point is not, in the genome and in a part of it', () => {
    expect(sideAwayFrom(1e6, genome, undefined)).toBe('middle');
    expect(sideAwayFrom(1e6, genome, { start: 0, end: 2e6, chromosome: 0 })).toBe('left');
    expect(sideAwayFrom(5e6, genome, undefined)).toBe('left');
    expect(sideAwayFrom(1e6, genome, { start: 2e6, end: 3e6, chromosome: 0 })).toBe('left');
    expect(sideAwayFrom(undefined, genome, undefined)).toBe('left');
  });
});

describe('a click on the Manhattan plot', () => {
  const genome = layoutGenome(['1', '2'], [300, 50]);
  const points = Float32Array.from([0, 100, 1, 0, 300, 2, 1, 50, 3]);
  const place = { xPerPixel: 1, yPerPixel: 0.1, reachPx: 12 };

  it('means the nearest point within reach, measured in pixels', () => {
    expect(nearestPoint(points, genome, { ...place, x: 296, y: 2.5 })).toBe(3);
    expect(nearestPoint(points, genome, { ...place, x: 356, y: 3.2 })).toBe(6);
  });

  it('means nothing far from all points', () => {
    expect(nearestPoint(points, genome, { ...place, x: 200, y: 2 })).toBeUndefined();
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
  it('finds the place of a marker on the QQ plot, and the p-values of a part of it', () => {
    const points: [number, number][] = [
      [3, 8],
      [0, 0],
      [1, 2],
    ];
    expect(alongQq(points, 1, 0, 1)).toBe(0.5);
    expect(alongQq(points, 1, 0, 5)).toBe(2);
    expect(alongQq(points, 0, 1, 2)).toBe(5);
    expect(alongQq(points, 1, 0, 99)).toBe(3);
    expect(alongQq(points, 0, 1, -1)).toBe(0);
  });

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
