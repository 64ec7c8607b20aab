import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import common from '../../../public/locales/en/common.json' with { type: 'json' };
import { formatName } from './format-name.ts';

const names: Record<string, string> = common.files.formatName;
const t = ((key: string) => names[key.replace('files.formatName.', '')] ?? `missing: ${key}`) as unknown as TFunction;

test('a format is told in words, each in its own', () => {
  expect(formatName('plink-binary', t)).toBe('PLINK 1 binary');
  const told = Object.keys(names).map((format) => formatName(format, t));
  expect(told).toEqual(Object.values(names));
  expect(new Set(told).size).toBe(told.length);
});

test('a format of a newer server is told as the server names it', () => {
  expect(formatName('bgen', t)).toBe('bgen');
});
