import { expect, it } from 'vitest';
import { fit, rankEntries } from './rank-entries.ts';

it('prefers a beginning to the start of a word, that to an inside, and that to scattered letters', () => {
  const texts = ['Models', 'Train model', 'remodelled', 'my own dear little'];
  const scores = texts.map((text) => fit(text, 'model'));
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(new Set(scores).size).toBe(4);
  expect(fit('Crossing Simulation', 'crsim')).toBeGreaterThan(0);
});

it('wants every word, in any order, and takes one or two letters as they stand', () => {
  expect(fit('maize_panel_phased.vcf.gz', 'phased maize')).toBeGreaterThan(0);
  expect(fit('maize_panel_phased.vcf.gz', 'maize rice')).toBe(0);
  expect(fit('Models', 'ms')).toBe(0);
});

it('puts the group of the best entry first and keeps what the server found', () => {
  const entries = [
    { group: 'Pages', label: 'Project Files' },
    { group: 'Found', label: 'B 73', isFound: true },
    { group: 'Found', label: 'B73' },
    { group: 'Runs', label: 'No such name' },
  ];
  expect(rankEntries(entries, 'B73')).toEqual([{ name: 'Found', entries: [entries[2], entries[1]] }]);
  // Nothing typed: everything, as given.
  expect(rankEntries(entries, ' ').map(({ name }) => name)).toEqual(['Pages', 'Found', 'Runs']);
});
