import { expect, test } from 'vitest';
import { seasonOf } from './studies.ts';

test.each([
  ['2026', '2026', 2026],
  ['2026 spring', 'spring', 2026],
  ['Season E 2018', 'Season E', 2018],
  ['Spring', 'Spring', null],
  ['2018 2019', '2018 2019', null],
  ['Spring 2018 2019', 'Spring 2018 2019', null],
  ['2018-2019', '2018-2019', null],
  ['Plot 3018', 'Plot 3018', null],
])('a season "%s" of a trial has the term "%s" and the year %s', (text, name, year) => {
  expect(seasonOf(text)).toMatchObject({ text, name, year });
});
