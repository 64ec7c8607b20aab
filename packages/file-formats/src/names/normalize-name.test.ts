import { describe, expect, test } from 'vitest';
import { foldName, MAX_NAME_LENGTH, nameFault, normalizeName, stripSequencingSuffix } from './normalize-name.ts';

describe('normalizeName', () => {
  test('trims, collapses blanks of every kind and composes accents', () => {
    expect(normalizeName('  Línea\u00a0\u00a0 7 ')).toBe('Línea 7');
    expect(normalizeName('Li\u0301nea 7')).toBe('Línea 7');
    expect(normalizeName('\ufeffB73\u200b')).toBe('B73');
  });

  test('leaves case, slashes, commas and other scripts as written', () => {
    expect(normalizeName('B73/Mo17, F2 玉米')).toBe('B73/Mo17, F2 玉米');
  });
});

describe('foldName', () => {
  test('makes the three spellings of a name equal', () => {
    expect(new Set(['NR 010004', 'NR010004', 'nr-010004'].map(foldName))).toEqual(new Set(['nr010004']));
  });

  test('is empty for a name without letters or digits', () => {
    expect(foldName('*/-')).toBe('');
  });
});

describe('nameFault', () => {
  test('accepts 255 characters and refuses 256', () => {
    expect(nameFault('x'.repeat(MAX_NAME_LENGTH))).toBeNull();
    expect(nameFault('x'.repeat(MAX_NAME_LENGTH + 1))).toContain('256 characters');
  });

  test('refuses control characters and empty names', () => {
    expect(nameFault('B\u000773')).toContain('control character');
    expect(nameFault('B\t73')).toContain('control character');
    expect(nameFault(' \u00a0 ')).toContain('empty');
    for (const text of ['\u202e', '\u3164', '\u2800', '\u{e0041}', '\u00ad \u200d'])
      expect(nameFault(text), JSON.stringify(text)).toContain('invisible');
    for (const text of ['東', 'ï', '\u202eB73', '🌽', '-']) expect(nameFault(text), text).toBeNull();
  });
});

test('sequencing suffixes are dropped, other endings and a name that is nothing else are not', () => {
  expect(['NR1:250123', 'NR1|7', 'NR1@a1b2c3.2', 'NR1:A', 'NR-1', ':12'].map(stripSequencingSuffix)).toEqual([
    'NR1',
    'NR1',
    'NR1',
    'NR1:A',
    'NR-1',
    ':12',
  ]);
});
