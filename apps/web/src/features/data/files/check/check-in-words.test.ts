import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { checkInWords } from './check-in-words.ts';

const t = ((key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' ')) as unknown as TFunction;
const step = (stage: 'queued' | 'read', runs_before: number | null) => ({
  progress: { stage, done: 0, total: 0, started_at: null, runs_before },
});

test('a file that nobody has begun to check tells how many go before it', () => {
  expect(checkInWords({ progress: null }, t)).toBe('progress.queued');
  expect(checkInWords(step('queued', 3), t)).toBe('files.place 3');
  expect(checkInWords(step('queued', null), t)).toBe('files.place 0');
});

test('one that is checked tells what is being done', () => {
  expect(checkInWords(step('read', null), t)).toBe('files.checking runs.stage.read');
});
