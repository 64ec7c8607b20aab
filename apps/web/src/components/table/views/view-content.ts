import type { ViewContent } from '@heterosis/contracts/people/table-views';
import { type ColumnChoice, type DataColumn, formatSort, headOf, parseSort, type Sort } from '../data-table-model.ts';

type Column = Pick<DataColumn<never>, 'id' | 'header' | 'unit'>;

/** What a table shows, as it is saved. */
export interface ShownState {
  shownColumns: readonly Column[];
  search: string;
  sort: Sort | undefined;
  group: string | undefined;
  filters: Readonly<Record<string, string>>;
}

export const contentOf = ({ shownColumns, search, sort, group, filters }: ShownState): ViewContent => ({
  columns: shownColumns.map((column) => ({ id: column.id, name: headOf(column) })),
  search,
  sort: formatSort(sort) ?? null,
  group: group ?? null,
  filters: Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')),
});

/** The columns of a view: what it does not name is not shown. */
export const choiceOf = ({ columns: kept }: ViewContent, columns: readonly Column[]): ColumnChoice => {
  const order = kept.map(({ id }) => id);
  return { shown: Object.fromEntries(columns.map(({ id }) => [id, order.includes(id)])), order };
};

/** Names of columns that a view shows or sorts by, and the table does not have. */
export function goneFrom({ columns: kept, sort }: ViewContent, columns: readonly Column[]): string[] {
  const has = new Set(columns.map(({ id }) => id));
  const sorted = parseSort(sort ?? undefined)?.column;
  const isSortGone = sorted !== undefined && !has.has(sorted) && !kept.some(({ id }) => id === sorted);
  return [...kept.filter(({ id }) => !has.has(id)).map(({ name }) => name), ...(isSortGone ? [sorted] : [])];
}

/** Whether a table shows something else than its view says, gone columns aside. */
export function isChanged(view: ViewContent, now: ViewContent, columns: readonly Column[]): boolean {
  const has = new Set(columns.map(({ id }) => id));
  const text = ({ columns: kept, sort, filters, ...rest }: ViewContent): string => {
    const by = parseSort(sort ?? undefined);
    return JSON.stringify([
      kept.map(({ id }) => id).filter((id) => has.has(id)),
      by && has.has(by.column) ? sort : null,
      Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      rest.search,
      rest.group,
    ]);
  };
  return text(view) !== text(now);
}
