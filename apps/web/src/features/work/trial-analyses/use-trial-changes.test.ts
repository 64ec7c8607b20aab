import { expect, it } from 'vitest';
import { withChanges } from './use-trial-changes.ts';

const override = (environment: string, model: 'blocks' | 'ar1') => ({ environment, trait: 'Yield', model });
const aside = (line: number, reason: string) => ({ environment: 'Bonn', phenotype_id: 'f', file_line: line, reason });

it('takes over what the earlier run was asked for, and changes that once more where it is changed again', () => {
  const body = {
    name: 'Again',
    overrides: [override('Bonn', 'ar1'), override('Kiel', 'ar1')],
    set_aside: [aside(2, 'a')],
  };
  const changes = { overrides: [override('Bonn', 'blocks')], set_aside: [aside(2, 'b'), aside(3, 'c')] };
  expect(withChanges(body, changes)).toEqual({
    name: 'Again',
    overrides: [override('Kiel', 'ar1'), override('Bonn', 'blocks')],
    set_aside: [aside(2, 'b'), aside(3, 'c')],
  });
});
