import { expect, it } from 'vitest';
import { getToast, showToast } from './toast.ts';

it('shows one toast at a time: the newest', () => {
  showToast({ text: 'first' });
  showToast({ text: 'second' });
  expect(getToast()?.text).toBe('second');
  showToast(undefined);
  expect(getToast()).toBeUndefined();
});
