import { expect, test } from 'vitest';
import { freeName, planNames, replacementName } from './upload-names.ts';

const row = (fileName: string, typedName?: string) => ({ fileName, typedName });

test('files keep their names unless the folder or the list has them already, whatever the case', () => {
  const planned = planNames([row('a.csv'), row('B.csv'), row('b.csv'), row('c.csv')], new Set(['a.csv']));
  expect(planned.map(({ name }) => name)).toEqual(['a (2).csv', 'B.csv', 'b (2).csv', 'c.csv']);
  expect(planned.map(({ isRenamed }) => isRenamed)).toEqual([true, false, true, false]);
});

test('a name that was typed is not changed, but told when it will not do', () => {
  const planned = planNames([row('a.csv', 'A.CSV'), row('b.csv', ' '), row('c.csv', 'good.csv')], new Set(['a.csv']));
  expect(planned.map(({ problem }) => problem)).toEqual(['taken', 'missing', undefined]);
});

test('a proposed name is not given twice', () => {
  const planned = planNames([row('a.csv'), row('a.csv'), row('a (2).csv')], new Set());
  expect(planned.map(({ name }) => name)).toEqual(['a.csv', 'a (2).csv', 'a (2) (2).csv']);
});

test('a corrected file takes the name of the invalid one, with an ending that fits what it is', () => {
  expect(replacementName('Trial 2026.csv', 'trial corrected.CSV')).toBe('Trial 2026.csv');
  expect(replacementName('trial.csv', 'new.xlsx')).toBe('trial.xlsx');
  expect(replacementName('panel.vcf', 'panel v2.vcf.gz')).toBe('panel.vcf.gz');
  expect(replacementName('panel.hmp.txt', 'new')).toBe('panel.hmp.txt');
  expect(replacementName('trial.2026.csv', 'new.csv')).toBe('trial.2026.csv');
  expect(replacementName('trial', 'new.tsv')).toBe('trial.tsv');
});

test('a free name keeps the ending, also a double one', () => {
  expect(freeName('trial.csv', new Set())).toBe('trial (2).csv');
  expect(freeName('panel.vcf.gz', new Set(['panel (2).vcf.gz']))).toBe('panel (3).vcf.gz');
  expect(freeName('notes', new Set())).toBe('notes (2)');
  expect(freeName('Trial 2026.v2.csv', new Set())).toBe('Trial 2026 (2).v2.csv');
});
