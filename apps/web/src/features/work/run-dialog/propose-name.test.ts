import { expect, it } from 'vitest';
import { proposedName, someTraits } from './propose-name.ts';

it('names a run after its traits and file', () => {
  const parts = [someTraits(['EarHT', 'dpoll', 'EarDia']), 'maize_trials.csv'];
  expect(proposedName(parts, [])).toBe('EarHT, dpoll, EarDia · maize_trials');
  expect(someTraits(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c + 2');
  expect(proposedName(['Yield 2026', 'panel.v2.vcf.gz'], [])).toBe('Yield 2026 · panel.v2');
});

it('numbers what another run is called, and never grows longer than a name may be', () => {
  expect(proposedName(['a', 'b.csv'], ['A · b', 'a · b (2)'])).toBe('a · b (3)');
  expect(proposedName(['x'.repeat(300)], ['x'.repeat(255)])).toHaveLength(255);
});

it('has no proposal until all is chosen', () => {
  expect(proposedName([someTraits([]), 'b.csv'], [])).toBe('');
  expect(proposedName(['a', undefined], [])).toBe('');
});
