import { Button } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadText } from '../../lib/browser/download.ts';
import { toCsv, toTsv } from '../../lib/format/csv.ts';
import { ErrorNotice } from '../page/error-notice.tsx';
import classes from './data-table.module.css';
import { CHECKBOX_PX, MENU_PX, TableBody } from './data-table-body.tsx';
import {
  arrangeColumns,
  type DataColumn,
  type DataTableProps,
  type Grouping,
  groupRows,
  type Sort,
  searchRows,
  sortRows,
  tableWidth,
  textTable,
} from './data-table-model.ts';
import { TableToolbar } from './data-table-toolbar.tsx';
import { useTableState } from './use-table-state.ts';
import { useSavedView } from './views/use-saved-view.ts';
import { contentOf } from './views/view-content.ts';
import { ViewNotices } from './views/view-notices.tsx';

export type { DataColumn, DataTableProps, ExportedColumn, Grouping, RowLink, Sort } from './data-table-model.ts';

/**
 * A dense table: search, sort, columns, groups, export, row menu, selection; thousands of rows. Where its columns need
 * more room than there is, it scrolls sideways and the first one stays; on a phone two are shown and the rest unfolds.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, remote, inAddress = false, groupings, defaultSort, rowId } = props;
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const isNarrow = isPhone && props.keepsColumns !== true;
  const state = useTableState(props.id, inAddress && !remote);
  const saved = useSavedView(props, state);
  const [ownIds, setOwnIds] = useState<ReadonlySet<string>>(new Set());
  const chosenIds = props.selection?.ids ?? ownIds;
  const setChosenIds = props.selection?.select ?? setOwnIds;
  const { ref: frame, width: frameWidth } = useElementSize<HTMLDivElement>();

  const search = remote ? remote.search : state.search;
  const sort = remote ? remote.sort : (state.sort ?? defaultSort);
  const grouping =
    state.group === 'none'
      ? undefined
      : (groupings?.find((one) => one.id === state.group) ?? (props.startsUngrouped ? undefined : groupings?.[0]));
  const arranged = useMemo(() => arrangeColumns(columns, saved.choice), [columns, saved.choice]);
  const shownColumns = useMemo(
    () => (isNarrow ? narrowColumns(columns) : arranged.flatMap(({ column, isShown }) => (isShown ? [column] : []))),
    [columns, arranged, isNarrow],
  );
  const items = useTableItems(props, search, sort, grouping);
  const chosen = useMemo(() => (rows ?? []).filter((row) => chosenIds.has(rowId(row))), [rows, chosenIds, rowId]);
  const { minWidth, maxWidth } = widthsOf(props, shownColumns, isNarrow);
  const shownCount = items.filter((item) => item.kind === 'row').length;
  const isEmpty = rows !== undefined && rows.length === 0 && !props.isLoading && search === '';

  if (props.error && !rows) return <ErrorNotice error={props.error} onRetry={props.onRetry} />;
  if (isEmpty && props.empty) return <>{props.empty}</>;

  const changeSort = (column: DataColumn<Row>): void => {
    const isSame = sort?.column === column.id;
    const next = {
      column: column.id,
      descending: isSame ? !sort.descending : (column.numeric ?? column.startsDescending ?? false),
    };
    if (remote) remote.onSort(next);
    else state.change({ sort: next });
  };
  const asText = async (): Promise<ReturnType<typeof textTable>> => {
    const all = props.readAll
      ? await props.readAll()
      : items.flatMap((item) => (item.kind === 'row' ? [item.row] : []));
    return textTable(all, isNarrow ? columns.filter((column) => !column.hidden) : shownColumns);
  };
  const exportCsv = async (): Promise<void> => {
    const table = await asText();
    downloadText(`${props.csvName ?? props.id}.csv`, toCsv(table.head, table.rows));
  };
  const copy = async (): Promise<number> => {
    const table = await asText();
    await navigator.clipboard.writeText(toTsv(table.head, table.rows));
    return table.rows.length;
  };

  return (
    <div className={classes.root} ref={frame}>
      {(props.hasTools ?? true) && (
        <TableToolbar
          {...props}
          isNarrow={isNarrow}
          maxWidth={maxWidth}
          search={search}
          onSearch={(text) => (remote ? remote.onSearch(text) : state.change({ search: text }))}
          grouping={grouping}
          onGroup={(group) => state.change({ group })}
          shownCount={shownCount}
          arranged={arranged}
          onArrange={saved.choose}
          saved={saved}
          content={contentOf({
            shownColumns,
            search,
            sort,
            group: state.group,
            filters: props.savedFilters?.values ?? {},
          })}
          copy={copy}
          exportCsv={exportCsv}
        />
      )}
      <ViewNotices saved={saved} columns={columns} isLoading={rows === undefined} />
      {props.bulkActions && chosen.length > 0 && (
        <BulkBar chosen={chosen} actions={props.bulkActions} onClear={() => setChosenIds(new Set())} />
      )}
      <TableBody
        {...props}
        items={items}
        shownColumns={shownColumns}
        minWidth={minWidth}
        maxWidth={maxWidth}
        overflows={frameWidth > 0 && minWidth > frameWidth}
        isNarrow={isNarrow}
        sort={sort}
        onSort={changeSort}
        chosenIds={chosenIds}
        onChoose={setChosenIds}
        search={search}
      />
      {props.error !== undefined && props.error !== null && <ErrorNotice error={props.error} onRetry={props.onRetry} />}
    </div>
  );
}

/** The rows in the order in which they are shown, with the heads of their groups. */
function useTableItems<Row>(
  { rows, columns, remote }: DataTableProps<Row>,
  search: string,
  sort: Sort | undefined,
  grouping: Grouping<Row> | undefined,
): ReturnType<typeof groupRows<Row>> {
  return useMemo(() => {
    if (!rows) return [];
    if (remote) return groupRows(rows, grouping);
    const sortColumn = columns.find((column) => column.id === sort?.column);
    return groupRows(sortRows(searchRows(rows, columns, search), sortColumn, sort?.descending ?? false), grouping);
  }, [rows, columns, search, sort?.column, sort?.descending, grouping, remote !== undefined]);
}

/** The one step below the width of the page, so that right edges meet: a small table does not grow beyond it. */
const SMALL_TABLE_PX = 720;

/** What the table needs, and whether it ends at the step: the main table of a page and any large one fill the page. */
function widthsOf<Row>(
  props: DataTableProps<Row>,
  shownColumns: readonly DataColumn<Row>[],
  isNarrow: boolean,
): { minWidth: number; maxWidth: number | undefined } {
  const beside = (props.rowMenu ? MENU_PX : 0) + ((props.bulkActions ?? props.selection) ? CHECKBOX_PX : 0);
  const bounds = tableWidth(shownColumns);
  const isSmall = bounds.max !== undefined && bounds.max + beside <= SMALL_TABLE_PX;
  const isMain = (props.inAddress ?? false) || props.rowMenu !== undefined || props.fills === true;
  return {
    minWidth: isNarrow ? 0 : bounds.min + beside,
    maxWidth: isNarrow || isMain || !isSmall ? undefined : SMALL_TABLE_PX,
  };
}

/** What can be done with the selected rows. */
function BulkBar<Row>(props: {
  chosen: Row[];
  actions: NonNullable<DataTableProps<Row>['bulkActions']>;
  onClear: () => void;
}) {
  const { chosen, actions, onClear } = props;
  const { t } = useTranslation();
  const label = t('table.chosen', { count: chosen.length });
  return (
    <div className={classes.bulk} role="region" aria-label={label}>
      <span>{label}</span>
      {actions(chosen, onClear)}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={onClear}>
        {t('table.clearChosen')}
      </Button>
    </div>
  );
}

/** The first column and the one marked `narrow` (or else the second). */
function narrowColumns<Row>(columns: DataColumn<Row>[]): DataColumn<Row>[] {
  const [first, ...others] = columns;
  if (!first) return [];
  const second = others.find((column) => column.narrow) ?? others.find((column) => !column.hidden);
  return second ? [first, second] : [first];
}
