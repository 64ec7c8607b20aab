import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { namesIn } from '../../../lib/format/names-in.ts';
import { exclusionsBody, exclusionValues, hasLimitError } from './exclusions.ts';

const t = ((key: string) => key) as TFunction;

it('reads names line by line, and those of a pasted row, each once', () => {
  expect(namesIn(' B73\r\nMo17\n\n# checks\nB73\n')).toEqual(['B73', 'Mo17']);
  expect(namesIn('B73\tMo17; Oh43, A188')).toEqual(['B73', 'Mo17', 'Oh43', 'A188']);
});

it('asks for nothing when all is empty, and keeps 0 as a limit', () => {
  expect(exclusionsBody(exclusionValues())).toEqual({});
  expect(exclusionsBody({ ...exclusionValues(), max_sample_heterozygosity: 0 })).toEqual({
    exclusions: { max_sample_heterozygosity: 0 },
  });
});

it('gives a repeated run what it left out, by rules that the dialog does not show, too', () => {
  const exclusions = { samples: ['B73', 'Mo17'], min_sample_call_rate: 0.8, duplicates: true, min_maf: 0.02 };
  expect(exclusionsBody(exclusionValues(exclusions))).toEqual({ exclusions });
});

it('prunes by LD where an r² is given, in windows of 50 markers, or in those of the run that is repeated', () => {
  expect(exclusionsBody({ ...exclusionValues(), prune_r2: 0.9 })).toEqual({
    exclusions: { ld_pruning: { r2: 0.9, window: 50, step: 5 } },
  });
  const exclusions = { ld_pruning: { r2: 0, window: 60, step: 7, window_kb: 250 } };
  expect(exclusionsBody(exclusionValues(exclusions))).toEqual({ exclusions });
  expect(hasLimitError(t, { ...exclusionValues(), prune_window: '' })).toBe(false);
  expect(hasLimitError(t, { ...exclusionValues(), prune_r2: 0.9, prune_window: 1 })).toBe(true);
  expect(hasLimitError(t, { ...exclusionValues(), prune_r2: 1.1 })).toBe(true);
});

it('takes a limit outside 0 to 1 as wrong, and an empty one as none', () => {
  expect(hasLimitError(t, exclusionValues())).toBe(false);
  expect(hasLimitError(t, { ...exclusionValues(), min_sample_call_rate: 90 })).toBe(true);
  expect(hasLimitError(t, { ...exclusionValues(), max_sample_heterozygosity: { text: '-' } })).toBe(true);
});
