import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatSort, parseSort, type Sort } from './data-table-model.ts';

export interface TableState {
  search: string;
  sort: Sort | undefined;
  group: string | undefined;
  change: (change: { search?: string; sort?: Sort | undefined; group?: string }) => void;
}

/**
 * Search, sort and grouping of a table. The main table of a page keeps them in the address (`q`, `sort`, `group`), so
 * that Back, reload and a sent link show the same; tables inside a detail keep them to themselves.
 */
export function useTableState(isInAddress: boolean): TableState {
  const address = useSearch({ strict: false });
  const navigate = useNavigate();
  const [own, setOwn] = useState<{ search: string; sort: Sort | undefined; group: string | undefined }>({
    search: '',
    sort: undefined,
    group: undefined,
  });
  if (!isInAddress) return { ...own, change: (change) => setOwn((before) => ({ ...before, ...change })) };
  return {
    search: address.q ?? '',
    sort: parseSort(address.sort),
    group: address.group,
    change: (change) =>
      void navigate({
        to: '.',
        search: (previous) => ({
          ...previous,
          ...('search' in change ? { q: change.search || undefined } : {}),
          ...('sort' in change ? { sort: formatSort(change.sort) } : {}),
          ...('group' in change ? { group: change.group } : {}),
        }),
        replace: true,
        resetScroll: false,
      }),
  };
}

/** Which columns are shown, remembered for this table in this browser. */
export function useColumnChoice(tableId: string): [Record<string, boolean>, (choice: Record<string, boolean>) => void] {
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

function readChoice(text: string | null): Record<string, boolean> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, boolean>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
