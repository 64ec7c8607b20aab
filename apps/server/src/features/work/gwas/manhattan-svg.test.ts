import { expect, test } from 'vitest';
import { manhattanSvg } from './manhattan-svg.ts';

const LABELS = { title: 'Yield', bonferroni: 0.05 / 1500, fdr: null, lambda: 1 };
const textsAt = (svg: string, anchor: string): string[] =>
  [...svg.matchAll(new RegExp(`text-anchor="${anchor}">([^<]*)<`, 'g'))].map(([, text]) => text ?? '');

test('a trait that is its marker, with −log10 p of two thousand millions, has an axis of a few round numbers', () => {
  const svg = manhattanSvg(Float32Array.of(0, 100, 2e9, 0, 200, 0.3), ['1'], LABELS);
  expect(textsAt(svg, 'end')).toEqual(['0', '5e+8', '1e+9', '1.5e+9', '2e+9', 'Bonferroni 5 %']);
});

test('without a marker near the threshold the axis counts in ones', () => {
  const svg = manhattanSvg(Float32Array.of(0, 100, 0, 0, 200, 0), ['1'], LABELS);
  expect(textsAt(svg, 'end')).toEqual(['0', '1', '2', '3', '4', '5', '6', 'Bonferroni 5 %']);
});

test('of a hundred contigs those are named that have room', () => {
  const contigs = Array.from({ length: 100 }, (_, index) => `scaffold_${index + 1}`);
  const points = Float32Array.from(contigs.flatMap((_, index) => [index, 1e6, 1]));
  const svg = manhattanSvg(points, contigs, LABELS);
  const xs = [...svg.matchAll(/<text x="([\d.]+)" y="386" /g)].map(([, x]) => Number(x));
  expect(xs.length).toBeGreaterThan(5);
  for (const [index, x] of xs.entries()) if (index > 0) expect(x - (xs[index - 1] ?? 0)).toBeGreaterThan(70);
});

test('more contigs than a function takes arguments are drawn', () => {
  const contigs = Array.from({ length: 200_000 }, (_, index) => `c${index}`);
  expect(manhattanSvg(Float32Array.of(0, 100, 1, 199_999, 100, 2), contigs, LABELS)).toContain('</svg>');
});
