import { ActionIcon, Button, Checkbox, NativeSelect, Popover, TextInput, Tooltip } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { IconColumns3, IconDownload, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toCsv } from '../lib/csv.ts';
import { downloadText } from '../lib/download.ts';
import { formatCount } from '../lib/format.ts';
import classes from './data-table.module.css';
import { CHECKBOX_PX, MENU_PX, TableBody } from './data-table-body.tsx';
import {
  csvTable,
  type DataColumn,
  type DataTableProps,
  fitColumns,
  groupRows,
  searchRows,
  sortRows,
} from './data-table-model.ts';
import { ErrorNotice } from './error-notice.tsx';
import { IconButton } from './icon-button.tsx';
import { useColumnChoice, useTableState } from './use-table-state.ts';

export type { DataColumn, DataTableProps, Grouping, RowLink, Sort } from './data-table-model.ts';

/** A dense table: search, sort, columns, groups, export, row menu, selection; thousands of rows; two columns on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { id, columns, rows, remote, inAddress = false, groupings, defaultSort } = props;
  const { t } = useTranslation();
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const state = useTableState(inAddress && !remote);
  const [choice, setChoice] = useColumnChoice(id);
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());

  const search = remote ? remote.search : state.search;
  const sort = remote ? remote.sort : (state.sort ?? defaultSort);
  const { ref: frame, width: frameWidth } = useElementSize<HTMLDivElement>();
  const chosenColumns = useMemo(
    () => columns.filter((column) => choice[column.id] ?? !column.hidden),
    [columns, choice],
  );
  const { columns: shownColumns, minWidth } = useMemo(() => {
    if (isNarrow) return { columns: narrowColumns(columns), minWidth: 0 };
    // Before the first measurement all are shown; the width of a window comes with it.
    const available =
      (frameWidth || window.innerWidth) - (props.rowMenu ? MENU_PX : 0) - (props.bulkActions ? CHECKBOX_PX : 0);
    return fitColumns(chosenColumns, available, (column) => choice[column.id] === true);
  }, [
    columns,
    chosenColumns,
    choice,
    isNarrow,
    frameWidth,
    props.rowMenu !== undefined,
    props.bulkActions !== undefined,
  ]);
  const grouping =
    state.group === 'none' ? undefined : (groupings?.find((one) => one.id === state.group) ?? groupings?.[0]);
  const items = useMemo(() => {
    if (!rows) return [];
    if (remote) return groupRows(rows, grouping);
    const sortColumn = columns.find((column) => column.id === sort?.column);
    return groupRows(sortRows(searchRows(rows, columns, search), sortColumn, sort?.descending ?? false), grouping);
  }, [rows, columns, search, sort?.column, sort?.descending, grouping, remote !== undefined]);

  const chosen = useMemo(
    () => (rows ?? []).filter((row) => chosenIds.has(props.rowId(row))),
    [rows, chosenIds, props.rowId],
  );
  const shownCount = items.filter((item) => item.kind === 'row').length;
  const isEmpty = rows !== undefined && rows.length === 0 && !props.isLoading && search === '';

  if (props.error && !rows) return <ErrorNotice error={props.error} onRetry={props.onRetry} />;
  if (isEmpty && props.empty) return <>{props.empty}</>;

  const changeSort = (column: DataColumn<Row>): void => {
    const isSame = sort?.column === column.id;
    const next = { column: column.id, descending: isSame ? !sort.descending : (column.numeric ?? false) };
    if (remote) remote.onSort(next);
    else state.change({ sort: next });
  };
  const exportCsv = (): void => {
    const table = csvTable(items, chosenColumns);
    downloadText(`${props.csvName ?? id}.csv`, toCsv(table.head, table.rows));
  };

  return (
    <div className={classes.root} ref={frame}>
      {(props.hasTools ?? true) && (
        <div className={classes.toolbar}>
          {props.filters}
          {(props.hasSearch ?? true) && (
            <SearchField
              label={props.searchLabel ?? t('table.search')}
              value={search}
              onChange={(text) => (remote ? remote.onSearch(text) : state.change({ search: text }))}
            />
          )}
          {groupings && groupings.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label={t('table.groupBy')}
              value={grouping?.id ?? 'none'}
              onChange={(event) => state.change({ group: event.currentTarget.value })}
              data={[
                ...groupings.map((one) => ({ value: one.id, label: t('table.groupedBy', { what: one.label }) })),
                { value: 'none', label: t('table.notGrouped') },
              ]}
            />
          )}
          <div className={classes.tools}>
            <span className={classes.count} role="status">
              {rows && countText(t, shownCount, props.total ?? rows.length, props.more?.hasMore ?? false)}
            </span>
            {!isNarrow && columns.length > 2 && (
              <Popover position="bottom-end" trapFocus>
                <Popover.Target>
                  <IconButton label={t('table.columns')}>
                    <IconColumns3 size={18} />
                  </IconButton>
                </Popover.Target>
                <Popover.Dropdown>
                  <div className={classes.columnChoice} role="group" aria-label={t('table.columns')}>
                    {columns.map((column, index) => (
                      <Checkbox
                        key={column.id}
                        size="xs"
                        label={column.header}
                        disabled={index === 0}
                        checked={chosenColumns.includes(column)}
                        onChange={(event) => setChoice({ ...choice, [column.id]: event.currentTarget.checked })}
                      />
                    ))}
                  </div>
                </Popover.Dropdown>
              </Popover>
            )}
            {props.csvUrl ? (
              <Tooltip label={t('table.downloadCsv')}>
                <ActionIcon component="a" href={props.csvUrl} download aria-label={t('table.downloadCsv')}>
                  <IconDownload size={18} />
                </ActionIcon>
              </Tooltip>
            ) : (
              <IconButton label={t('table.exportCsv')} onClick={exportCsv} disabled={shownCount === 0}>
                <IconDownload size={18} />
              </IconButton>
            )}
          </div>
        </div>
      )}

      {props.bulkActions && chosen.length > 0 && (
        <div className={classes.bulk} role="region" aria-label={t('table.chosen', { count: chosen.length })}>
          <span>{t('table.chosen', { count: chosen.length })}</span>
          {props.bulkActions(chosen, () => setChosenIds(new Set()))}
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setChosenIds(new Set())}>
            {t('table.clearChosen')}
          </Button>
        </div>
      )}

      <TableBody
        {...props}
        items={items}
        shownColumns={shownColumns}
        minWidth={minWidth}
        isNarrow={isNarrow ?? false}
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

/** Types freely; the search follows a moment later, so that every letter does not change the address. */
function SearchField({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  const [draft, setDraft] = useState(value);
  const latest = useRef(value);
  useEffect(() => {
    // The address has changed from outside (Back, a link).
    if (value !== latest.current) {
      latest.current = value;
      setDraft(value);
    }
  }, [value]);
  useEffect(() => {
    if (draft === latest.current) return undefined;
    const timer = setTimeout(() => {
      latest.current = draft;
      onChange(draft);
    }, 200);
    return () => clearTimeout(timer);
  }, [draft, onChange]);
  return (
    <TextInput
      type="search"
      size="xs"
      className={classes.search ?? ''}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} />}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
    />
  );
}

/** The first column and the one marked `narrow` (or else the second). */
function narrowColumns<Row>(columns: DataColumn<Row>[]): DataColumn<Row>[] {
  const [first, ...others] = columns;
  if (!first) return [];
  const second = others.find((column) => column.narrow) ?? others.find((column) => !column.hidden);
  return second ? [first, second] : [first];
}

function countText(t: ReturnType<typeof useTranslation>['t'], shown: number, total: number, hasMore: boolean): string {
  if (shown === total && !hasMore) return t('table.rows', { count: total, formatted: formatCount(total) });
  return hasMore && total <= shown
    ? t('table.rowsAtLeast', { formatted: formatCount(shown) })
    : t('table.rowsOf', { shown: formatCount(shown), total: formatCount(total) });
}
