import { describe, expect, test } from 'vitest';
import { hasHeader, readEntries, textOfEntries } from './entries.ts';

describe('the field of entries', () => {
  test('has a name a line, with commas and spaces of their own', () => {
    expect(readEntries('Pioneer 3394\nB73, selfed\n\n# late\nMo17').entries).toEqual([
      { name: 'Pioneer 3394' },
      { name: 'B73, selfed' },
      { name: 'Mo17' },
    ]);
  });

  test('takes columns from a spreadsheet, with headers in any order or none', () => {
    const wanted = [{ name: 'A', replicates: 2, family: 'F1' }, { name: 'B' }];
    expect(readEntries('A\t2\tF1\nB').entries).toEqual(wanted);
    expect(readEntries('Family,Entry,Reps\nF1,A,2\n,B,').entries).toEqual(wanted);
    expect(readEntries('name;family\nA;F1').entries).toEqual([{ name: 'A', family: 'F1' }]);
  });

  test('does not take a numbered line for a header', () => {
    expect(readEntries('Line 1\nLine 2').entries).toEqual([{ name: 'Line 1' }, { name: 'Line 2' }]);
  });

  test('is filled with what a file has, and reads it as it was', () => {
    const plain = { replicates: null, family: null };
    expect(textOfEntries([{ name: 'A', ...plain }])).toBe('A');
    const text = textOfEntries([
      { name: 'A, selfed', replicates: 2, family: null },
      { name: 'B', replicates: null, family: 'F1' },
    ]);
    expect(readEntries(text).entries).toEqual([
      { name: 'A, selfed', replicates: 2 },
      { name: 'B', family: 'F1' },
    ]);
    expect([hasHeader(text), hasHeader('Entry\nA'), hasHeader('A\nB')]).toEqual([true, true, false]);
  });

  test('says what stands twice and what is no number', () => {
    expect(readEntries('A\t2\nA\t1\nB\ttwo')).toMatchObject({ repeated: ['A'], wrong: [3] });
  });
});
