import { expect, test } from 'vitest';
import { arrangeColumns, NO_CHOICE } from '../data-table-model.ts';
import { viewIn, withView } from '../use-table-state.ts';
import { choiceOf, contentOf, goneFrom, isChanged } from './view-content.ts';

const columns = ['name', 'state', 'yield', 'oil'].map((id) => ({ id, header: id, hidden: id === 'oil' }));
const shown = (choice: Parameters<typeof arrangeColumns>[1], of = columns) =>
  arrangeColumns(of, choice).flatMap(({ column, isShown }) => (isShown ? [column.id] : []));
const now = { search: '', sort: { column: 'yield', descending: true }, group: undefined, filters: {} };
const content = contentOf({ shownColumns: [columns[0]!, columns[3]!, columns[2]!], ...now, filters: { type: '' } });

test('a view shows its columns in its order, whatever the table shows by itself', () => {
  expect(shown(NO_CHOICE)).toEqual(['name', 'state', 'yield']);
  expect(content).toMatchObject({
    columns: [{ id: 'name' }, { id: 'oil' }, { id: 'yield' }],
    sort: '-yield',
    filters: {},
  });
  expect(shown(choiceOf(content, columns))).toEqual(['name', 'oil', 'yield']);
  const later = [...columns, { id: 'height', header: 'height', hidden: false }];
  expect(shown(choiceOf(content, later), later)).toEqual(['name', 'oil', 'yield']);
});

test('the first column says what a row is: it is shown first, also when it is not chosen', () => {
  expect(shown({ shown: { name: false }, order: ['yield', 'name'] })).toEqual(['name', 'yield', 'state']);
});

test('columns that a table lacks are named, and do not make the view a changed one', () => {
  const without = columns.filter(({ id }) => id !== 'oil');
  expect(goneFrom(content, columns)).toEqual([]);
  expect(goneFrom(content, without)).toEqual(['oil']);
  expect(goneFrom({ ...content, sort: 'gone' }, columns)).toEqual(['gone']);
  const rest = contentOf({ shownColumns: [columns[0]!, columns[2]!], ...now });
  expect(isChanged(content, rest, without)).toBe(false);
  expect(isChanged(content, rest, columns)).toBe(true);
  expect(isChanged(content, { ...rest, search: 'B73' }, without)).toBe(true);
  expect(isChanged(content, { ...rest, sort: 'yield' }, without)).toBe(true);
});

test('an address has a view for each table', () => {
  const one = withView(undefined, 'models', 'a');
  const both = withView(one, 'gebv', 'b');
  expect(both).toBe('models:a,gebv:b');
  expect(viewIn(both, 'models')).toBe('a');
  expect(withView(both, 'models', 'none')).toBe('models:none,gebv:b');
  expect(viewIn('nonsense', 'models')).toBeUndefined();
});
