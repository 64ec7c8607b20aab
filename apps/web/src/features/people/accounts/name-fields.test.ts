import { expect, it } from 'vitest';
import { splitDisplayName } from './name-fields.ts';

it.each([
  ['Ada Lindqvist', 'Ada', 'Lindqvist'],
  ['Maria de la Cruz', 'Maria', 'de la Cruz'],
  ['  Ada ', 'Ada', ''],
  [null, '', ''],
])('splits %j into first and last name', (name, first_name, last_name) => {
  expect(splitDisplayName(name)).toEqual({ first_name, last_name });
});
