import { expect, test } from 'vitest';
import { methodsParagraph } from './methods-paragraph.ts';

type Settings = Parameters<typeof methodsParagraph>[0];

const settingsOf = (engine: object): Settings => ({
  ...{ test: 'LRT', fixed: 0, thresh_maf: 0.05, thresh_callrate: 0.9, parameters: {} },
  trait_rows: [{ trait: 'y', summary: { n: 50_000, m: 60_000, lambda: 1.02, engine } }] as Settings['trait_rows'],
});

test('the methods name the rule by which the markers of the kinship were pruned, and only then', () => {
  const pruned = { r2: 0.95, markers: 21_345 };
  const paragraph = methodsParagraph(settingsOf({ name: 'markers', reason: 'they did not fit', pruned }));
  expect(paragraph).toContain(
    'K is that of the 21,345 markers left by pruning by linkage disequilibrium (r² ≤ 0.95 in windows of 50 markers); all markers were tested.',
  );
  expect(methodsParagraph(settingsOf({ name: 'markers', reason: 'they fit' }))).not.toContain('pruning');
});
