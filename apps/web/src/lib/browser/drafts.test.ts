import { expect, it } from 'vitest';
import { MemoryStorage } from '../../testing/browser.ts';
import { dropDraft, keepDraft, readDraft } from './drafts.ts';

const initial = { name: '', genotype_id: undefined as { id: string } | undefined, traits: [] as string[], maf: 0.05 };
const DAY_MS = 24 * 3600 * 1000;

it('gives a draft back over the values that a dialog begins with', () => {
  const store = new MemoryStorage();
  const values = { ...initial, name: 'Yield 2026', genotype_id: { id: 'g' }, traits: ['yield'] };
  keepDraft(store, 'model p', values, 0);
  expect(readDraft(store, 'model p', initial, DAY_MS)).toEqual(values);
  expect(readDraft(store, 'model other', initial, DAY_MS)).toBeUndefined();
  dropDraft(store, 'model p');
  expect(readDraft(store, 'model p', initial, DAY_MS)).toBeUndefined();
});

it('leaves out what another version kept, and forgets after a month', () => {
  const store = new MemoryStorage();
  keepDraft(store, 'k', { name: 'A', traits: 'yield', gone: 1, maf: '' }, 0);
  expect(readDraft(store, 'k', initial, DAY_MS)).toEqual({ ...initial, name: 'A', maf: '' });
  expect(readDraft(store, 'k', initial, 31 * DAY_MS)).toBeUndefined();
});

it('takes a damaged draft for none', () => {
  const store = new MemoryStorage();
  for (const text of ['{', 'null', '[]', '{"at":"x"}', '{"at":0,"values":null}']) {
    store.setItem('heterosis.draft.k', text);
    expect(readDraft(store, 'k', initial, 1)).toBeUndefined();
  }
});
