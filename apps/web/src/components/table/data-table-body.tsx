import { Button, Checkbox, Menu, Skeleton } from '@mantine/core';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format/format.ts';
import { IconButton } from '../form/icon-button.tsx';
import { IconDots } from '../icons.tsx';
import { Explained, ExplainedLabel } from '../page/explained.tsx';
import { useScrollEdges } from '../page/use-scroll-edges.ts';
import classes from './data-table.module.css';
import {
  type CellValue,
  type DataColumn,
  type DataTableProps,
  headOf,
  type Sort,
  type TableItem,
} from './data-table-model.ts';
import { NameText } from './name-text.tsx';
import { rowKeyHandler } from './row-keys.ts';
import { uncoverFocus } from './uncover-focus.ts';

const ROW_HEIGHT = 36;
/** Width of the column with the row's menu, and of that with the check mark. */
export const MENU_PX = 44;
export const CHECKBOX_PX = 36;
const VIRTUAL_FROM = 120;
/** A table with fewer rows does not scroll in itself. */
const SCROLLS_FROM = 12;
/** On a phone the first column gets what the second leaves of the width. */
const NARROW_SECOND = '38%';
const NARROW_SENTENCE = '62%';
const SKELETON_ROWS = 6;
/** Of a list that is read as one scrolls: enough to fill its place. */
const MANY_SKELETON_ROWS = 16;

export interface TableBodyProps<Row> extends DataTableProps<Row> {
  items: TableItem<Row>[];
  shownColumns: DataColumn<Row>[];
  minWidth: number;
  maxWidth: number | undefined;
  /** The table is wider than the place it stands in. */
  overflows: boolean;
  isNarrow: boolean;
  sort: Sort | undefined;
  onSort: (column: DataColumn<Row>) => void;
  chosenIds: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  search: string;
}

export function TableBody<Row>(props: TableBodyProps<Row>) {
  const { items, shownColumns, rowId, isNarrow } = props;
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  useScrollEdges(scroll, props.overflows);
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
  const measured = (index: number) => ({
    'data-index': index,
    ...(isVirtual ? { ref: virtualizer.measureElement } : {}),
  });
  const canChoose = (props.bulkActions ?? props.selection) !== undefined && !isNarrow;
  const hasMenu = props.rowMenu !== undefined;
  // On a phone a row that leads to no page of its own opens in place to show the columns that did not fit.
  const unfolds = isNarrow && !props.rowLink && props.columns.length > shownColumns.length;
  const width = shownColumns.length + Number(canChoose) + Number(hasMenu || unfolds);
  const isLoading = props.isLoading ?? props.rows === undefined;
  const opens = props.rowLink !== undefined || props.onOpen !== undefined;
  const scrolls = isVirtual || props.overflows || (!opens && items.length > SCROLLS_FROM);

  const handleKeyDown = rowKeyHandler(items, (index) => {
    if (isVirtual) virtualizer.scrollToIndex(index);
  });

  return (
    // A scrolling part has to be reachable by keyboard.
    <div
      ref={scroll}
      className={classes.scroll}
      style={{ maxHeight: props.maxHeight ?? '75dvh', maxWidth: props.maxWidth }}
      data-overflows={props.overflows || undefined}
      {...(props.overflows && { onFocus: uncoverFocus })}
      {...(scrolls ? { role: 'group', 'aria-label': props.label, tabIndex: 0 } : {})}
    >
      <table
        className={classes.table}
        style={{ minWidth: props.minWidth }}
        aria-rowcount={(props.total ?? items.length) + 1}
        aria-busy={isLoading}
      >
        <caption className="hx-visually-hidden">{props.label}</caption>
        <TableHead table={props} canChoose={canChoose} hasMenu={hasMenu || unfolds} />
        <tbody onKeyDown={handleKeyDown}>
          {isLoading && props.rows === undefined && (
            <SkeletonRows
              columns={width}
              rows={
                props.expectedRows ?? (props.more ? MANY_SKELETON_ROWS : (props.hasTools ?? true) ? SKELETON_ROWS : 1)
              }
            />
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

/** The widths of the columns and their heads. */
function TableHead<Row>({
  table,
  canChoose,
  hasMenu,
}: {
  table: TableBodyProps<Row>;
  canChoose: boolean;
  hasMenu: boolean;
}) {
  const { items, rowId, shownColumns, isNarrow, chosenIds, onChoose, sort, onSort } = table;
  const { t } = useTranslation();
  const rowIds = items.flatMap((item) => (item.kind === 'row' ? [rowId(item.row)] : []));
  const allChosen = rowIds.length > 0 && rowIds.every((one) => chosenIds.has(one));
  return (
    <>
      <colgroup>
        {canChoose && <col style={{ width: CHECKBOX_PX }} />}
        {shownColumns.map((column, index) => (
          <col key={column.id} style={columnStyle(column, index, isNarrow)} />
        ))}
        {hasMenu && <col style={{ width: MENU_PX }} />}
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
          {hasMenu && (
            <th scope="col" className={classes.menuCell}>
              <span className="hx-visually-hidden">{t('table.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
    </>
  );
}

function HeadCell<Row>(props: {
  column: DataColumn<Row>;
  sort: Sort | undefined;
  onSort: (c: DataColumn<Row>) => void;
}) {
  const { column, sort, onSort } = props;
  const isSorted = sort?.column === column.id;
  const head = headOf(column);
  const text = (
    <span
      className={classes.headText}
      data-explained={column.hint !== undefined || undefined}
      title={column.hint ? undefined : head}
    >
      {head}
    </span>
  );
  return (
    <th
      scope="col"
      data-numeric={column.numeric || undefined}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.sortable !== false ? (
        <Explained hint={column.hint}>
          <button type="button" className={classes.sort} onClick={() => onSort(column)}>
            {text}
            <span aria-hidden="true" className={classes.arrow} data-shown={isSorted || undefined}>
              {isSorted && !sort.descending ? '↑' : '↓'}
            </span>
          </button>
        </Explained>
      ) : column.hint === undefined ? (
        text
      ) : (
        <ExplainedLabel hint={column.hint}>{head}</ExplainedLabel>
      )}
    </th>
  );
}

interface BodyRowProps<Row> {
  row: Row;
  rowIndex: number;
  measured: { ref?: (element: HTMLTableRowElement | null) => void; 'data-index': number };
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
  const menu = table.rowMenu?.(row) || null;
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
    if (column !== firstColumn) return column.cell ? column.cell(row) : String(column.value(row) ?? '–');
    const shown = column.cell ? column.cell(row) : <NameText name={String(column.value(row) ?? '–')} />;
    if (link)
      return (
        <Link {...(link as LinkProps)} className={classes.open} data-row-opener>
          {shown}
        </Link>
      );
    if (table.onOpen)
      return (
        <button type="button" className={classes.open} data-row-opener onClick={() => table.onOpen?.(row)}>
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
              data-name={column === firstColumn || undefined}
              title={column.cell && column !== firstColumn ? undefined : hoverText(column.value(row))}
            >
              {content(column)}
            </span>
          </td>
        ))}
        {table.rowMenu && (
          <td className={classes.menuCell}>
            {menu !== null && (
              <Menu>
                <Menu.Target>
                  <IconButton label={t('table.rowMenu', { name: String(firstColumn?.value(row) ?? '') })} size="sm">
                    <IconDots size={16} />
                  </IconButton>
                </Menu.Target>
                <Menu.Dropdown>{menu}</Menu.Dropdown>
              </Menu>
            )}
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
                    <dt>{headOf(column)}</dt>
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

function columnStyle<Row>(
  column: DataColumn<Row>,
  index: number,
  isNarrow: boolean,
): { width: number | string } | undefined {
  if (isNarrow) return index === 1 ? { width: column.wrap ? NARROW_SENTENCE : NARROW_SECOND } : undefined;
  return column.width === undefined ? undefined : { width: column.width };
}

/** What may be cut off is whole on hover. */
function hoverText(value: CellValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
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
