import { ActionIcon, Button, Checkbox, Menu, NativeSelect, Popover, Skeleton, TextInput, Tooltip } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { IconColumns3, IconDots, IconDownload, IconSearch } from '@tabler/icons-react';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toCsv } from '../lib/csv.ts';
import { downloadText } from '../lib/download.ts';
import { formatCount } from '../lib/format.ts';
import classes from './data-table.module.css';
import {
  type CellValue,
  csvTable,
  type DataColumn,
  fitColumns,
  type Grouping,
  groupRows,
  type Sort,
  searchRows,
  sortRows,
  type TableItem,
} from './data-table-model.ts';
import { ErrorNotice } from './error-notice.tsx';
import { IconButton } from './icon-button.tsx';
import { useColumnChoice, useTableState } from './use-table-state.ts';

export type { DataColumn, Grouping, Sort } from './data-table-model.ts';

export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

export interface DataTableProps<Row> {
  /** Stable name; remembers the chosen columns. */
  id: string;
  /** Read aloud: `Models`. */
  label: string;
  columns: DataColumn<Row>[];
  rows: Row[] | undefined;
  rowId: (row: Row) => string;
  isLoading?: boolean;
  error?: unknown;
  onRetry?: () => void;
  /** Shown when there are no rows at all. */
  empty?: ReactNode;

  /** Where a row leads. Its first cell becomes the link, a click anywhere on the row follows it. */
  rowLink?: (row: Row) => RowLink;
  /** Instead of a link: what a click does. */
  onOpen?: (row: Row) => void;
  /** Entries of the row's menu, as `Menu.Item`s. */
  rowMenu?: (row: Row) => ReactNode;
  /** Marks one row, for example the one shown beside the table. */
  isMarked?: (row: Row) => boolean;

  groupings?: Grouping<Row>[];
  defaultSort?: Sort;
  /** Search, sort and grouping live in the address: for the one main table of a page. */
  inAddress?: boolean;
  hasSearch?: boolean;
  /** False for a short list that needs no search, choice of columns or export. */
  hasTools?: boolean;
  searchLabel?: string;
  /** Left of the search: further filters. */
  filters?: ReactNode;

  /** Lets rows be chosen and shows these actions while some are. */
  bulkActions?: (chosen: Row[], clear: () => void) => ReactNode;

  /** More pages wait on the server. */
  more?: { hasMore: boolean; isLoading: boolean; load: () => void };
  /** The server searches and sorts; the rows are shown as they come. */
  remote?: {
    search: string;
    onSearch: (text: string) => void;
    sort: Sort | undefined;
    onSort: (sort: Sort) => void;
  };
  /** All rows there are, when more than have been read. */
  total?: number | undefined;

  /** Name of the exported file, without `.csv`. */
  csvName?: string;
  /** The server's own file of the whole table, where the rows here are only a part. */
  csvUrl?: string | undefined;
  /** Height of the scrolling part; a long table scrolls in itself. */
  maxHeight?: string;
}

const ROW_HEIGHT = 36;
const MENU_PX = 44;
const CHECKBOX_PX = 36;
const VIRTUAL_FROM = 120;
const SKELETON_ROWS = 6;

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

interface TableBodyProps<Row> extends DataTableProps<Row> {
  items: TableItem<Row>[];
  shownColumns: DataColumn<Row>[];
  minWidth: number;
  isNarrow: boolean;
  sort: Sort | undefined;
  onSort: (column: DataColumn<Row>) => void;
  chosenIds: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  search: string;
}

function TableBody<Row>(props: TableBodyProps<Row>) {
  const { items, shownColumns, sort, onSort, chosenIds, onChoose, rowId, isNarrow } = props;
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  const isVirtual = items.length > VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 16,
    enabled: isVirtual,
  });
  const virtualRows = virtualizer.getVirtualItems();
  const first = isVirtual ? (virtualRows[0]?.index ?? 0) : 0;
  const last = isVirtual ? (virtualRows.at(-1)?.index ?? -1) : items.length - 1;
  // Rows grow with their text; the list learns their height as they come into sight.
  const measured = (index: number) => (isVirtual ? { ref: virtualizer.measureElement, 'data-index': index } : {});
  const canChoose = props.bulkActions !== undefined && !isNarrow;
  const hasMenu = props.rowMenu !== undefined;
  // On a phone a row that leads nowhere opens in place to show the columns that did not fit.
  const unfolds = isNarrow && !props.rowLink && !props.onOpen && props.columns.length > shownColumns.length;
  const width = shownColumns.length + Number(canChoose) + Number(hasMenu || unfolds);
  const isLoading = props.isLoading ?? props.rows === undefined;
  const rowIds = items.flatMap((item) => (item.kind === 'row' ? [rowId(item.row)] : []));
  const allChosen = rowIds.length > 0 && rowIds.every((one) => chosenIds.has(one));

  return (
    // A scrolling part has to be reachable by keyboard.
    <div
      ref={scroll}
      className={classes.scroll}
      style={{ maxHeight: props.maxHeight ?? '75dvh' }}
      {...(isVirtual ? { role: 'group', 'aria-label': props.label, tabIndex: 0 } : {})}
    >
      <table
        className={classes.table}
        style={{ minWidth: props.minWidth }}
        aria-rowcount={items.length + 1}
        aria-busy={isLoading}
      >
        <caption className="hx-visually-hidden">{props.label}</caption>
        <colgroup>
          {canChoose && <col style={{ width: CHECKBOX_PX }} />}
          {shownColumns.map((column) => (
            <col key={column.id} style={column.width && !isNarrow ? { width: column.width } : undefined} />
          ))}
          {(hasMenu || unfolds) && <col style={{ width: MENU_PX }} />}
        </colgroup>
        <thead>
          <tr>
            {canChoose && (
              <th scope="col">
                <Checkbox
                  size="xs"
                  aria-label={t('table.chooseAll')}
                  checked={allChosen}
                  indeterminate={!allChosen && chosenIds.size > 0}
                  onChange={() => onChoose(allChosen ? new Set() : new Set(rowIds))}
                />
              </th>
            )}
            {shownColumns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
            {(hasMenu || unfolds) && (
              <th scope="col">
                <span className="hx-visually-hidden">{t('table.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {isLoading && props.rows === undefined && (
            <SkeletonRows columns={width} rows={(props.hasTools ?? true) ? SKELETON_ROWS : 1} />
          )}
          {isVirtual && <Spacer height={virtualRows[0]?.start ?? 0} width={width} />}
          {items.slice(first, last + 1).map((item, offset) =>
            item.kind === 'group' ? (
              <tr key={`group:${item.key}`} className={classes.group} {...measured(first + offset)}>
                <th colSpan={width} scope="rowgroup">
                  <span className={classes.groupLine}>
                    <span className={classes.groupTitle}>{item.title}</span>
                    <span className={classes.groupCount}>{formatCount(item.count)}</span>
                  </span>
                </th>
              </tr>
            ) : (
              <BodyRow
                key={rowId(item.row)}
                row={item.row}
                rowIndex={first + offset + 2}
                measured={measured(first + offset)}
                table={props}
                canChoose={canChoose}
                unfolds={unfolds}
                width={width}
              />
            ),
          )}
          {isVirtual && <Spacer height={virtualizer.getTotalSize() - (virtualRows.at(-1)?.end ?? 0)} width={width} />}
          {props.rows !== undefined && items.length === 0 && !isLoading && (
            <tr>
              <td colSpan={width} className={classes.nothing}>
                {props.search ? t('table.nothingFound', { search: props.search }) : t('table.noRows')}
              </td>
            </tr>
          )}
          {props.more?.hasMore && <MoreRow more={props.more} width={width} root={scroll} />}
        </tbody>
      </table>
    </div>
  );
}

function HeadCell<Row>(props: {
  column: DataColumn<Row>;
  sort: Sort | undefined;
  onSort: (c: DataColumn<Row>) => void;
}) {
  const { column, sort, onSort } = props;
  const isSorted = sort?.column === column.id;
  const head = column.unit ? `${column.header} (${column.unit})` : column.header;
  return (
    <th
      scope="col"
      data-numeric={column.numeric || undefined}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.sortable === false ? (
        <span className={classes.headText}>{head}</span>
      ) : (
        <button type="button" className={classes.sort} onClick={() => onSort(column)}>
          <span className={classes.headText}>{head}</span>
          <span aria-hidden="true" className={classes.arrow} data-shown={isSorted || undefined}>
            {isSorted && !sort.descending ? '↑' : '↓'}
          </span>
        </button>
      )}
    </th>
  );
}

interface BodyRowProps<Row> {
  row: Row;
  rowIndex: number;
  measured: { ref?: (element: HTMLTableRowElement | null) => void; 'data-index'?: number };
  table: TableBodyProps<Row>;
  canChoose: boolean;
  unfolds: boolean;
  width: number;
}

function BodyRow<Row>({ row, rowIndex, measured, table, canChoose, unfolds, width }: BodyRowProps<Row>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const id = table.rowId(row);
  const link = table.rowLink?.(row);
  const canOpen = link !== undefined || table.onOpen !== undefined;
  const [firstColumn] = table.shownColumns;

  const handleClick = (event: MouseEvent<HTMLTableRowElement>): void => {
    // Links, buttons and marked text inside the row keep their own meaning.
    const target = event.target as HTMLElement;
    if (target.closest('a, button, input, label, [role="menu"]') || window.getSelection()?.toString()) return;
    if (link) void navigate(link as Parameters<typeof navigate>[0]);
    else table.onOpen?.(row);
  };
  const content = (column: DataColumn<Row>): ReactNode => {
    const shown = column.cell ? column.cell(row) : String(column.value(row) ?? '–');
    if (column !== firstColumn) return shown;
    if (link)
      return (
        <Link {...(link as LinkProps)} className={classes.open}>
          {shown}
        </Link>
      );
    if (table.onOpen)
      return (
        <button type="button" className={classes.open} onClick={() => table.onOpen?.(row)}>
          {shown}
        </button>
      );
    return shown;
  };
  const choose = (isChosen: boolean): void => {
    const next = new Set(table.chosenIds);
    if (isChosen) next.add(id);
    else next.delete(id);
    table.onChoose(next);
  };

  return (
    <>
      <tr
        {...measured}
        aria-rowindex={rowIndex}
        data-opens={canOpen || undefined}
        data-chosen={table.chosenIds.has(id) || table.isMarked?.(row) || undefined}
        onClick={canOpen ? handleClick : undefined}
      >
        {canChoose && (
          <td>
            <Checkbox
              size="xs"
              aria-label={t('table.choose', { name: String(firstColumn?.value(row) ?? '') })}
              checked={table.chosenIds.has(id)}
              onChange={(event) => choose(event.currentTarget.checked)}
            />
          </td>
        )}
        {table.shownColumns.map((column) => (
          <td key={column.id} data-numeric={column.numeric || undefined}>
            <span
              className={classes.cell}
              data-wrap={column.wrap || undefined}
              title={column.cell ? undefined : hoverText(column.value(row))}
            >
              {content(column)}
            </span>
          </td>
        ))}
        {table.rowMenu && (
          <td className={classes.menuCell}>
            <Menu>
              <Menu.Target>
                <IconButton label={t('table.rowMenu', { name: String(firstColumn?.value(row) ?? '') })} size="sm">
                  <IconDots size={16} />
                </IconButton>
              </Menu.Target>
              <Menu.Dropdown>{table.rowMenu(row)}</Menu.Dropdown>
            </Menu>
          </td>
        )}
        {unfolds && !table.rowMenu && (
          <td className={classes.menuCell}>
            <button
              type="button"
              className={classes.unfold}
              aria-expanded={isOpen}
              aria-label={t('table.unfold', { name: String(firstColumn?.value(row) ?? '') })}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? '−' : '+'}
            </button>
          </td>
        )}
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={width}>
            <dl className={classes.unfolded}>
              {table.columns
                .filter((column) => !table.shownColumns.includes(column))
                .map((column) => (
                  <div key={column.id}>
                    <dt>{column.unit ? `${column.header} (${column.unit})` : column.header}</dt>
                    <dd>{column.cell ? column.cell(row) : String(column.value(row) ?? '–')}</dd>
                  </div>
                ))}
            </dl>
          </td>
        </tr>
      )}
    </>
  );
}

/** What may be cut off is whole on hover. */
function hoverText(value: CellValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
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

function SkeletonRows({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden="true">
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <Skeleton height={12} radius="sm" width={column === 0 ? '70%' : '45%'} />
        </td>
      ))}
    </tr>
  ));
}

function Spacer({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={width} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

/** Loads the next page when it comes into sight; the button is there for those who do not scroll. */
function MoreRow(props: {
  more: NonNullable<DataTableProps<unknown>['more']>;
  width: number;
  root: { current: HTMLDivElement | null };
}) {
  const { more, width, root } = props;
  const { t } = useTranslation();
  const row = useRef<HTMLTableRowElement>(null);
  const load = useRef(more.load);
  load.current = more.load;
  useEffect(() => {
    if (!row.current || more.isLoading) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load.current();
      },
      { root: root.current, rootMargin: '300px' },
    );
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [more.isLoading, root]);
  return (
    <tr ref={row}>
      <td colSpan={width} className={classes.nothing}>
        <Button size="compact-xs" variant="subtle" color="gray" loading={more.isLoading} onClick={more.load}>
          {t('table.loadMore')}
        </Button>
      </td>
    </tr>
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
