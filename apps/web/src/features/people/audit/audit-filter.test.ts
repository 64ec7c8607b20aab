import { expect, test } from 'vitest';
import { filterOf } from './audit-filter.ts';

test('whole days of the reader, the last one included', () => {
  const { from, to } = filterOf({ from: '2026-03-01', to: '2026-03-01' });
  expect(from).toBe(new Date(2026, 2, 1).toISOString());
  expect(to).toBe(new Date(2026, 2, 2).toISOString());
});

test('one choice is an area or an action', () => {
  expect(filterOf({ what: 'sign-ins' })).toEqual({ area: 'sign-ins' });
  expect(filterOf({ what: 'model.deleted' })).toEqual({ action: 'model.deleted' });
});

test('an address that was typed by hand asks for nothing wrong', () => {
  expect(filterOf({ what: 'nothing', from: 'yesterday', to: '', person: '  ' })).toEqual({});
});
