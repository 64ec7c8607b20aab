import type { TFunction } from 'i18next';
import { beforeEach, expect, it } from 'vitest';
import { getToast, showToast } from './toast.ts';
import { announceRenamed } from './undo-toast.ts';

const t = ((key: string, { name = '' } = {}) => `${key} ${name}`.trim()) as unknown as TFunction;

beforeEach(() => showToast(undefined));

it('offers the old name, and says when it is back', async () => {
  const names: string[] = [];
  announceRenamed(t, { from: 'Old', to: 'New' }, async (name) => names.push(name));
  expect(getToast()?.text).toBe('toast.renamed New');
  getToast()?.action?.run();
  await expect.poll(() => getToast()?.text).toBe('toast.renamed Old');
  expect(names).toEqual(['Old']);
});

it('says why the old name cannot come back, and nothing where no name changed', async () => {
  announceRenamed(t, { from: 'Same', to: 'Same' }, async () => undefined);
  expect(getToast()).toBeUndefined();
  announceRenamed(t, { from: 'Old', to: 'New' }, async () => {
    throw new Error('taken');
  });
  getToast()?.action?.run();
  await expect.poll(() => getToast()?.isError).toBe(true);
});
