import type { Model } from '@heterosis/contracts/work/models';
import { expect, it } from 'vitest';
import { abilityOf, shadesOf } from './model-matrix.ts';

const NONE = { mean: null, sd: null };
const evaluated = (pearson_r: object | null, within_group_r: object | null = null) =>
  ({ evaluation: { yield: pearson_r && { pearson_r, within_group_r } } }) as unknown as Pick<Model, 'evaluation'>;

it('takes r within groups where whole groups were left out', () => {
  expect(abilityOf(evaluated({ mean: 0.6, sd: 0.01 }), 'yield')).toEqual({ mean: 0.6, sd: 0.01 });
  expect(abilityOf(evaluated({ mean: 0.6, sd: 0 }, { mean: 0.2, sd: 0.1 }), 'yield')).toEqual({ mean: 0.2, sd: 0.1 });
  expect(abilityOf(evaluated({ mean: 0.6, sd: 0 }, NONE), 'yield')).toBeUndefined();
  expect(abilityOf(evaluated(null), 'yield')).toBeUndefined();
  expect(abilityOf(evaluated(NONE), 'height')).toBeUndefined();
});

it('shades a value between the lowest and the highest of its trait', () => {
  const models = [0.25, 0.75, 0.3].map((mean) => evaluated({ mean, sd: null }));
  const shade = shadesOf([...models, evaluated(null)], 'yield');
  expect([0.25, 0.75, 0.5].map(shade)).toEqual([0, 1, 0.5]);
  expect(shadesOf(models.slice(0, 1), 'yield')(0.25)).toBe(0.5);
});
