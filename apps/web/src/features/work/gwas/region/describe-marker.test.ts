import type { GwasRow } from '@heterosis/contracts/work/gwas';
import { expect, it } from 'vitest';
import { describeMarker, describePoint, markersCsv } from './describe-marker.ts';

const row = {
  ...{ id: 'PZA<1>', chr: '3', pos: 12_345_678, A1: 'G', A2: 'T', freqA2: 0.25, n: 270, score: 0, LRT: 20 },
  ...{ beta: -1.5, sd: 0.25, h2: 0.5, p: 0.0002, neg_log10_p: 3.69897, q: 0.01, pve: 0.07, at_bound: false },
} satisfies GwasRow;
const texts = { chromosome: (chr: string) => `Chromosome ${chr}`, effect: (allele: string) => `Effect of ${allele}` };

it('tells name, place, alleles, effect with its error, and p, with nothing of a file taken as HTML', () => {
  const lines = describeMarker(row, texts).split('<br>');
  expect(lines[0]).toBe('<b>PZA&#60;1&#62;</b>');
  expect(lines[2]).toBe('A1/A2: G/T');
  expect(lines[3]).toBe('Effect of T: −1.50 ± 0.250');
  expect(lines[4]).toMatch(/^p = 2\.0/);
});

it('leaves out an effect that was not estimated', () => {
  expect(describeMarker({ ...row, beta: null, sd: null }, texts)).not.toContain('Effect');
});

it('tells place and p while the marker is looked up', () => {
  expect(describePoint({ chr: '3', positionBp: row.pos, negLog10P: 2 }, texts)).toMatch(
    /Chromosome 3, 12\.3.* Mb.*p = 0\.01/,
  );
});

it('writes every digit, the name, both alleles, effect and error of each marker', () => {
  const [head, line] = markersCsv([row]).trimEnd().split(/\r?\n/);
  const cells = line?.split(',') ?? [];
  expect(Object.fromEntries((head ?? '').split(',').map((name, k) => [name, cells[k]]))).toMatchObject({
    ...{ id: 'PZA<1>', A1: 'G', A2: 'T', effect: '-1.5', effect_se: '0.25', p: '0.0002', pos: '12345678' },
  });
});
