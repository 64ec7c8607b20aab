import type { TableView, TableViews, ViewContent } from '@heterosis/contracts/people/table-views';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useProjectId } from '../../../lib/session/current.ts';
import { type ColumnChoice, type DataTableProps, parseSort } from '../data-table-model.ts';
import { NO_VIEW, type TableState, useColumnChoice } from '../use-table-state.ts';
import { tableViewsQuery } from './table-views.api.ts';
import { choiceOf } from './view-content.ts';

export interface SavedViews {
  projectId: string | undefined;
  /** Undefined outside of projects, and until they have been read. */
  rights: Omit<TableViews, 'data'> | undefined;
  /** Those of this table. */
  views: readonly TableView[];
  /** The one that the table shows. */
  view: TableView | undefined;
  /** The address names one that is deleted, or not shared with the reader. */
  isMissing: boolean;
  show: (view: TableView | undefined) => void;
  choice: ColumnChoice;
  choose: (choice: ColumnChoice) => void;
}

/**
 * The saved views of a table in a project. Choosing one puts its search, sort, grouping and filters into the table and
 * its id into the address; what is changed from there on is the reader's, until it is saved. Columns that are chosen
 * without a view are remembered in this browser.
 */
export function useSavedView<Row>(table: DataTableProps<Row>, state: TableState): SavedViews {
  const { id, columns, remote, inAddress = false, savedFilters } = table;
  const projectId = useProjectId();
  const isOffered = projectId !== undefined && (table.hasTools ?? true) && columns.length > 2;
  const known = useQuery({ ...tableViewsQuery(projectId ?? ''), enabled: isOffered }).data;
  const views = useMemo(() => known?.data.filter((one) => one.table === id) ?? [], [known, id]);
  const view = views.find((one) => one.id === state.view);
  const [remembered, remember] = useColumnChoice(id);
  const [own, setOwn] = useState<{ view: string; choice: ColumnChoice }>();
  const ofView = useMemo(() => view && choiceOf(view.content, columns), [view, columns]);

  const put = (content: ViewContent | undefined, chosen?: string): void => {
    const wanted = parseSort(content?.sort ?? undefined);
    const sort = columns.some((column) => column.id === wanted?.column) ? wanted : undefined;
    const search = content?.search ?? '';
    const next = remote ? undefined : sort;
    if (remote) {
      remote.onSearch(search);
      const ordered = sort ?? remote.defaultSort;
      if (ordered) remote.onSort(ordered);
    }
    state.change({ search, sort: next, group: content?.group ?? undefined, ...(chosen && { view: chosen }) });
    savedFilters?.apply(content?.filters ?? {});
  };
  const applied = useRef<string>(undefined);
  const show = (next: TableView | undefined): void => {
    applied.current = next?.id;
    setOwn(undefined);
    put(next?.content, next?.id ?? NO_VIEW);
  };

  useEffect(() => {
    if (view === undefined || applied.current === view.id) return;
    applied.current = view.id;
    // What else the address says is what its sender saw.
    if (inAddress && !remote) savedFilters?.apply(view.content.filters);
    else put(view.content);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for a view that an address names
  }, [view?.id]);

  // Decided once, as soon as the views are known: a table does not change under its reader.
  const isDecided = useRef(false);
  useEffect(() => {
    if (known === undefined || isDecided.current) return;
    isDecided.current = true;
    const isAsked = state.view !== undefined || (inAddress && (state.search !== '' || state.sort !== undefined));
    const opening = views.find((one) => one.is_default && !one.is_shared) ?? views.find((one) => one.is_default);
    if (opening && !isAsked) show(opening);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [known]);

  const { data: _, ...rights } = known ?? { data: [] };
  return {
    projectId,
    rights: known && (rights as SavedViews['rights']),
    views,
    view,
    isMissing: known !== undefined && state.view !== undefined && state.view !== NO_VIEW && view === undefined,
    show,
    choice: view && ofView ? (own?.view === view.id ? own.choice : ofView) : remembered,
    choose: view ? (choice) => setOwn({ view: view.id, choice }) : remember,
  };
}
