import type { Options } from '@heterosis/contracts/options/define-options';
import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import { expect, test } from 'vitest';
import { inPageWords } from './in-page-words.ts';

const labels: Options = DESIGN_OPTIONS;
const designs: Record<string, string> = DESIGN_OPTIONS.design.labels;
const said = (text: string): string =>
  inPageWords(
    text,
    (option) => labels[option]?.label ?? '?',
    (name) => designs[name],
  );

test('flags and codes of the command line become the names of fields and designs', () => {
  expect(said('Choose --block-size 5 or --block-size 6, or add 1 entry.')).toBe(
    'Choose “Plots of a block” 5 or “Plots of a block” 6, or add 1 entry.',
  );
  expect(said('Give --checks NAME,… with names of the list of entries.')).toBe(
    'Give “Checks” with names of the list of entries.',
  );
  expect(said('Give --main-plots dry,irrigated, or give every entry a family.')).toBe(
    'Give “Treatments of whole plots”, or give every entry a family.',
  );
  expect(said('Choose another direction of the walk (--along), or leave that row out.')).toBe(
    'Choose another direction of the walk, or leave that row out.',
  );
  expect(said('Leave these rows out of the field, or choose p-rep, alpha or rcbd.')).toBe(
    'Leave these rows out of the field, or choose “Partially replicated”, “Incomplete blocks (alpha)” or “Complete blocks”.',
  );
  expect(said('Give --replicates (from 1 to 4), or a column replicates of the entries.')).toBe(
    'Give “Replicates” (from 1 to 4), or a column replicates of the entries.',
  );
});
