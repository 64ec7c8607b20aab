import { layoutGenome, shift, viewOf, wholeChromosome } from '@heterosis/charts/genome/genome-axis';
import { describe, expect, it } from 'vitest';
import { formatView, parseView, partOf } from './view-in-address.ts';

const genome = layoutGenome(['1', '2', 'HLA:01', 'chrUn:5'], [3e6, 2e6, 1e6, 1e6]);

describe('the part of the genome in the address', () => {
  it('is read as it was written, on one chromosome and on several', () => {
    const views = [
      wholeChromosome(genome, 1),
      viewOf(genome, 1_000_000, 2_000_000),
      viewOf(genome, 1e6, 4e6),
      viewOf(genome, wholeChromosome(genome, 2).start, wholeChromosome(genome, 3).end),
    ];
    for (const view of views) expect(parseView(genome, formatView(genome, view))).toEqual(view);
    expect(views.map((view) => formatView(genome, view))).toEqual([
      '2:0-2000000',
      '1:1000000-2000000',
      '1:2',
      'HLA:01:chrUn:5',
    ]);
  });

  it('is the whole genome where it names what the genome has not', () => {
    for (const text of [undefined, '', '9:1-2', '2:1', '1:5-5', '1:2-1', '1:9000000-9000001', 'x'])
      expect(parseView(genome, text)).toBeUndefined();
  });

  it('names the first and the last of several chromosomes for the table', () => {
    expect(partOf(genome, viewOf(genome, 1e6, 4e6) ?? wholeChromosome(genome, 0))).toEqual({ chr: '1', to_chr: '2' });
    expect(partOf(genome, wholeChromosome(genome, 2))).toEqual({ chr: 'HLA:01', start: 0, end: 1e6 });
  });

  it('of several chromosomes moves by one, and stops at the ends of the genome', () => {
    const two = viewOf(genome, 1e6, 4e6) ?? wholeChromosome(genome, 0);
    const moved = shift(genome, two, 1);
    expect(formatView(genome, moved)).toBe('2:HLA:01');
    expect(shift(genome, two, -1)).toEqual(two);
    expect(shift(genome, moved, -1)).toEqual(two);
  });
});
