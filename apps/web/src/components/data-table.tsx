import { ActionIcon, Button, Checkbox, NativeSelect, Popover, TextInput, Tooltip } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconColumns3, IconCopy, IconDownload, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toCsv, toTsv } from '../lib/csv.ts';
import { downloadText } from '../lib/download.ts';
import { formatCount } from '../lib/format.ts';
import { asProblem } from '../lib/problem.ts';
import classes from './data-table.module.css';
import { CHECKBOX_PX, MENU_PX, TableBody } from './data-table-body.tsx';
import {
  type DataColumn,
  type DataTableProps,
  groupRows,
  searchRows,
  sortRows,
  tableWidth,
  textTable,
} from './data-table-model.ts';
import { ErrorNotice } from './error-notice.tsx';
import { IconButton } from './icon-button.tsx';
import { useColumnChoice, useTableState } from './use-table-state.ts';

export type { DataColumn, DataTableProps, Grouping, RowLink, Sort } from './data-table-model.ts';

/**
 * A dense table: search, sort, columns, groups, export, row menu, selection; thousands of rows. Where its columns need
 * more room than there is, it scrolls sideways and the first one stays; on a phone two are shown and the rest unfolds.
 */
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
  const shownColumns = useMemo(
    () => (isNarrow ? narrowColumns(columns) : columns.filter((column) => choice[column.id] ?? !column.hidden)),
    [columns, choice, isNarrow],
  );
  const beside = (props.rowMenu ? MENU_PX : 0) + (props.bulkActions ? CHECKBOX_PX : 0);
  const bounds = tableWidth(shownColumns);
  const minWidth = isNarrow ? 0 : bounds.min + beside;
  const isMain = inAddress || props.rowMenu !== undefined;
  const maxWidth = isNarrow || isMain || bounds.max === undefined ? undefined : bounds.max + beside;
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
  const asText = async (): Promise<ReturnType<typeof textTable>> => {
    const all = props.readAll
      ? await props.readAll()
      : items.flatMap((item) => (item.kind === 'row' ? [item.row] : []));
    return textTable(all, isNarrow ? columns.filter((column) => !column.hidden) : shownColumns);
  };
  const exportCsv = async (): Promise<void> => {
    const table = await asText();
    downloadText(`${props.csvName ?? id}.csv`, toCsv(table.head, table.rows));
  };
  const copy = async (): Promise<number> => {
    const table = await asText();
    await navigator.clipboard.writeText(toTsv(table.head, table.rows));
    return table.rows.length;
  };

  return (
    <div className={classes.root} ref={frame}>
      {(props.hasTools ?? true) && (
        <div className={classes.toolbar} style={{ maxWidth }}>
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
              {rows && (
                <RowCount shown={shownCount} read={rows.length} total={props.total} more={props.more} remote={remote} />
              )}
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
                        checked={shownColumns.includes(column)}
                        onChange={(event) => setChoice({ ...choice, [column.id]: event.currentTarget.checked })}
                      />
                    ))}
                  </div>
                </Popover.Dropdown>
              </Popover>
            )}
            {/* Browsers keep the clipboard from pages without TLS. */}
            {!isNarrow && window.isSecureContext && <CopyButton copy={copy} disabled={shownCount === 0} />}
            {props.csvUrl ? (
              <Tooltip label={t('table.downloadCsv')}>
                <ActionIcon component="a" href={props.csvUrl} download aria-label={t('table.downloadCsv')}>
                  <IconDownload size={18} />
                </ActionIcon>
              </Tooltip>
            ) : (
              <IconButton label={t('table.exportCsv')} onClick={() => void exportCsv()} disabled={shownCount === 0}>
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
        maxWidth={maxWidth}
        overflows={frameWidth > 0 && minWidth > frameWidth}
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
  // The table is drawn again with every step of what runs, which must not put the search off.
  const send = useRef(onChange);
  send.current = onChange;
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
      send.current(draft);
    }, 200);
    return () => clearTimeout(timer);
  }, [draft]);
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

/**
 * `12 of 301 rows` when a search has found 12; rows that the server has not sent yet count too, where it says how many.
 */
function RowCount(props: {
  shown: number;
  read: number;
  total: number | undefined;
  more: DataTableProps<unknown>['more'] | undefined;
  remote: DataTableProps<unknown>['remote'] | undefined;
}) {
  const { shown, read, total, more, remote } = props;
  const { t } = useTranslation();
  const all = total ?? read;
  const formatted = formatCount(all);
  if (total === undefined && more?.hasMore) return t('table.rowsAtLeast', { formatted: formatCount(shown) });
  if (remote && remote.search !== '') return t('table.rowsFound', { count: all, formatted });
  if (remote || shown === all) return t('table.rows', { count: all, formatted });
  return t('table.rowsOf', { shown: formatCount(shown), total: formatted });
}

const COPIED_MS = 3000;

/** Puts the table on the clipboard, to be pasted into a spreadsheet, and says how many rows that were. */
function CopyButton({ copy, disabled }: { copy: () => Promise<number>; disabled: boolean }) {
  const { t } = useTranslation();
  const [state, setState] = useState<{ label: string; isDone: boolean }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const handleClick = async (): Promise<void> => {
    try {
      const count = await copy();
      setState({ label: t('table.copied', { count, formatted: formatCount(count) }), isDone: true });
    } catch (error) {
      setState({ label: t('table.notCopied', { reason: asProblem(error).detail }), isDone: false });
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState(undefined), COPIED_MS);
  };
  return (
    <>
      <span className="hx-visually-hidden" role="status">
        {state?.label}
      </span>
      <Tooltip label={state?.label ?? t('table.copy')} {...(state ? { opened: true } : {})}>
        <ActionIcon aria-label={t('table.copy')} onClick={() => void handleClick()} disabled={disabled}>
          {state?.isDone ? <IconCheck size={18} /> : <IconCopy size={18} />}
        </ActionIcon>
      </Tooltip>
    </>
  );
}
