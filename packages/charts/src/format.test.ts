import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatChromosome,
  formatColumn,
  formatDecimals,
  formatDuration,
  formatLargestP,
  formatMb,
  formatMeanSd,
  formatPValue,
  formatRelative,
  formatShare,
  formatStatistic,
  formatTick,
  sharedDecimals,
} from './format.ts';

describe('formatStatistic', () => {
  it.each([
    [0.61345, '0.613'],
    [12, '12.0'],
    [-2.34567, '−2.35'],
    [1234.56, '1,235'],
    [0, '0'],
    [0.00001234, '1.23 × 10⁻⁵'],
    [-5.6e12, '−5.60 × 10¹²'],
    [null, '–'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '∞'],
  ])('writes %s as %s', (value, text) => {
    expect(formatStatistic(value)).toBe(text);
  });
});

describe('formatPValue', () => {
  it.each([
    [2.3e-8, '2.3 × 10⁻⁸'],
    [0.000999, '1.0 × 10⁻³'],
    [0.0312, '0.0312'],
    [1, '1.00'],
    [0, '< 10⁻³⁰⁰'],
    // What a test without error left is given as: no digit of it is true.
    [5e-324, '< 10⁻³⁰⁰'],
    [undefined, '–'],
  ])('writes %s as %s', (value, text) => {
    expect(formatPValue(value)).toBe(text);
  });
});

describe('formatLargestP', () => {
  it.each([
    [2.1e-5, 'p ≤ 2.1 × 10⁻⁵'],
    [5e-324, 'p < 10⁻³⁰⁰'],
  ])('writes a threshold of %s as %s', (value, text) => {
    expect(formatLargestP(value)).toBe(text);
  });
});

describe('formatShare', () => {
  it.each([
    [0.97, '97 %'],
    [0.039, '3.9 %'],
    [0.0004, '0.04 %'],
    [0, '0 %'],
    [1, '100 %'],
    [0.000001, '< 0.01 %'],
  ])('writes %s as %s', (value, text) => {
    expect(formatShare(value)).toBe(text);
  });

  it('never rounds an incomplete share up to 100 %', () => {
    expect(formatShare(0.9997)).toBe('99.97 %');
    expect(formatShare(0.99999)).toBe('99.99 %');
  });
});

describe('formatMeanSd', () => {
  it.each([
    [0.4871, 0.02404, '0.487 ± 0.024'],
    [17.83, 0.324, '17.8 ± 0.3'],
    [-1.0279, 0.0272, '−1.03 ± 0.03'],
    [1234.5, 56.7, '1,235 ± 57'],
    [0.5, 0, '0.500'],
    [null, null, '–'],
  ])('writes %s ± %s as %s', (mean, sd, text) => {
    expect(formatMeanSd({ mean, sd })).toBe(text);
  });
});

describe('formatTick', () => {
  it.each([
    [0.05, '0.05'],
    [30, '30'],
    [-1200, '−1,200'],
    [0, '0'],
    [0.000002, '2 × 10⁻⁶'],
    [15_000_000, '1.5 × 10⁷'],
  ])('writes %s as %s', (value, text) => {
    expect(formatTick(value)).toBe(text);
  });
});

describe('other units', () => {
  it('writes positions in megabases and sizes in decimal units', () => {
    expect(formatMb(280_719_882)).toBe('280.720');
    expect(formatBytes(532)).toBe('532 B');
    expect(formatBytes(999_600)).toBe('1.00 MB');
    expect(formatBytes(12_345_678)).toBe('12.3 MB');
  });

  it('writes durations without needless parts', () => {
    expect(formatDuration(0.42)).toBe('0.4 s');
    expect(formatDuration(60)).toBe('1 min');
    expect(formatDuration(200)).toBe('3 min 20 s');
    expect(formatDuration(7500)).toBe('2 h 5 min');
  });

  it('tells times by distance, and days long past by their date', () => {
    const now = Date.parse('2026-06-15T12:00:00Z');
    expect(formatRelative('2026-06-15T11:59:56Z', now)).toBe('now');
    expect(formatRelative('2026-06-15T12:00:20Z', now)).toBe('now');
    expect(formatRelative('2026-06-15T11:57:00Z', now)).toBe('3 min. ago');
    expect(formatRelative('2026-06-14T11:00:00Z', now)).toBe('yesterday');
    expect(formatRelative('2026-06-18T12:00:00Z', now)).toBe('in 3 days');
    expect(formatRelative('2023-02-01T12:00:00Z', now)).toBe('Feb 1, 2023');
  });

  it('moves to the next unit instead of writing 60 minutes', () => {
    const now = Date.parse('2026-06-15T12:00:00Z');
    expect(formatRelative('2026-06-15T11:00:10Z', now)).toBe('1 hr. ago');
  });
});

describe('sharedDecimals', () => {
  it.each([
    [[59.5, 110, 27.5, null], 1],
    [[59.52, 110.01, 27.47], 1],
    [[173, 1204, 88], 0],
    [[1, 2, 9, 5], 0],
    [[0.0123, 0.00456, 0.2], 4],
    [[0.00001, 0.00002], undefined],
    [[null, undefined], 0],
    [[], 0],
  ])('writes %s with %s decimals', (values, decimals) => {
    expect(sharedDecimals(values)).toBe(decimals);
  });
});

describe('formatDecimals', () => {
  it('keeps the decimals of its column, and never writes a negative zero', () => {
    expect(formatDecimals(110, 1)).toBe('110.0');
    expect(formatDecimals(-1204.5, 1)).toBe('−1,204.5');
    expect(formatDecimals(-0.01, 1)).toBe('0.0');
    expect(formatDecimals(0.00002, undefined)).toBe('2.00 × 10⁻⁵');
  });
});

it('writes a column with shared decimals', () => {
  expect(formatColumn([59.52, null, 110, -3.6])).toEqual(['59.5', '–', '110.0', '−3.6']);
});

describe('formatChromosome', () => {
  it.each([
    ['1', 'chr 1'],
    ['3A', 'chr 3A'],
    ['chr04', 'chr04'],
    ['Chromosome_2', 'Chromosome_2'],
    ['LG7', 'LG7'],
  ])('%s is written %s', (name, expected) => {
    expect(formatChromosome(name)).toBe(expected);
  });
});
