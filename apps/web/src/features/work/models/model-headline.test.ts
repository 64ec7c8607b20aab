import { expect, it } from 'vitest';
import { verdictsOf } from './model-headline.ts';

const model = (r: Record<string, number | null>, atZero: string[] = [], fixed_markers?: string[]) =>
  ({
    provenance: { parameters: { fixed_markers } },
    evaluation: Object.fromEntries(
      Object.entries(r).map(([trait, mean]) => [trait, mean === null ? null : { pearson_r: { mean, sd: 0.01 } }]),
    ),
    fit: Object.fromEntries(
      Object.keys(r).map((trait) => [trait, { at_boundary: atZero.includes(trait) ? ['additive'] : [] }]),
    ),
  }) as unknown as Parameters<typeof verdictsOf>[0];

it('says of each evaluated trait how well it is predicted, the best first', () => {
  const verdicts = verdictsOf(model({ EarHT: 0.487, dpoll: 0.71, new: null, awns: 0.1 }), [
    'EarHT',
    'dpoll',
    'new',
    'awns',
  ]);
  expect(verdicts.map(({ trait, verdict }) => [trait, verdict])).toEqual([
    ['dpoll', 'well'],
    ['EarHT', 'fairly'],
    ['awns', 'poorly'],
  ]);
});

it('does not praise a trait without additive variance, whatever its r, unless markers predict it', () => {
  expect(verdictsOf(model({ EarHT: 0.9 }, ['EarHT'], ['m1']), ['EarHT'])[0]?.verdict).toBe('well');
  expect(verdictsOf(model({ EarHT: 0.9 }, ['EarHT']), ['EarHT'])[0]?.verdict).toBe('not');
});
