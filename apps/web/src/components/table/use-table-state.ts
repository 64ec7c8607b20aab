import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type ColumnChoice, formatSort, NO_CHOICE, parseSort, type Sort } from './data-table-model.ts';

interface StateChange {
  search?: string;
  sort?: Sort | undefined;
  group?: string | undefined;
  /** The saved view that is chosen for the table, or `NO_VIEW`. */
  view?: string;
}

export interface TableState {
  search: string;
  sort: Sort | undefined;
  group: string | undefined;
  /** Id of the saved view in the address; `NO_VIEW`: the table as it comes; undefined: the address says nothing. */
  view: string | undefined;
  change: (change: StateChange) => void;
}

/** In the address in place of a view: not even the default. */
export const NO_VIEW = 'none';

/**
 * Search, sort and grouping of a table. The main table of a page keeps them in the address (`q`, `sort`, `group`), so
 * that Back, reload and a sent link show the same; tables inside a detail keep them to themselves. The saved view is in
 * the address for all tables.
 */
export function useTableState(tableId: string, isInAddress: boolean): TableState {
  const address = useSearch({ strict: false });
  const navigate = useNavigate();
  const [own, setOwn] = useState<{ search: string; sort: Sort | undefined; group: string | undefined }>({
    search: '',
    sort: undefined,
    group: undefined,
  });
  const { search, sort, group } = isInAddress
    ? { search: address.q ?? '', sort: parseSort(address.sort), group: address.group }
    : own;
  return {
    search,
    sort,
    group,
    view: viewIn(address.table_view, tableId),
    change: ({ view, ...change }) => {
      if (!isInAddress) setOwn((before) => ({ ...before, ...change }));
      if (!isInAddress && view === undefined) return;
      void navigate({
        to: '.',
        search: (previous) => ({
          ...previous,
          ...(isInAddress && 'search' in change ? { q: change.search || undefined } : {}),
          ...(isInAddress && 'sort' in change ? { sort: formatSort(change.sort) } : {}),
          ...(isInAddress && 'group' in change ? { group: change.group } : {}),
          ...(view === undefined ? {} : { table_view: withView(previous.table_view, tableId, view) }),
        }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}

/** `?table_view=models:0198…,gebv:none`: a page may have several tables. */
const viewsIn = (text: string | undefined): Map<string, string> =>
  new Map((text ?? '').split(',').flatMap((entry) => (entry.includes(':') ? [splitEntry(entry)] : [])));

const splitEntry = (entry: string): [string, string] => {
  const at = entry.indexOf(':');
  return [entry.slice(0, at), entry.slice(at + 1)];
};

export const viewIn = (text: string | undefined, tableId: string): string | undefined => viewsIn(text).get(tableId);

export const withView = (text: string | undefined, tableId: string, view: string): string =>
  [...viewsIn(text).set(tableId, view)].map((entry) => entry.join(':')).join(',');

/** Which columns are shown and in which order, remembered for this table in this browser. */
export function useColumnChoice(tableId: string): [ColumnChoice, (choice: ColumnChoice) => void] {
  const key = `heterosis.columns.${tableId}`;
  const [choice, setChoice] = useState(() => readChoice(localStorage.getItem(key)));
  return [
    choice,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      setChoice(next);
    },
  ];
}

function readChoice(text: string | null): ColumnChoice {
  if (text === null) return NO_CHOICE;
  try {
    const value = JSON.parse(text) as Partial<ColumnChoice> | null;
    return value !== null && typeof value.shown === 'object' && Array.isArray(value.order)
      ? { shown: value.shown, order: value.order }
      : NO_CHOICE;
  } catch (error) {
    if (error instanceof SyntaxError) return NO_CHOICE;
    throw error;
  }
}
