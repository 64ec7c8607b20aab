import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { againName } from './again-name.ts';

it('gives a repeated run a name that the server takes, however long the first one was', () => {
  const t = ((_: string, { name }: { name: string }) => `${name} (again)`) as TFunction;
  expect(againName('Yield 2026', t)).toBe('Yield 2026 (again)');
  expect(againName('y'.repeat(255), t)).toBe(`${'y'.repeat(247)} (again)`);
});
