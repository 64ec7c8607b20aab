import type { ViewContent } from '@heterosis/contracts/people/table-views';
import { ActionIcon, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../lib/api/problem.ts';
import { formatCount } from '../../lib/format/format.ts';
import { IconButton } from '../form/icon-button.tsx';
import { IconCheck, IconCopy, IconDownload, IconSearch } from '../icons.tsx';
import { type ArrangedColumn, ColumnChooser } from './column-chooser.tsx';
import classes from './data-table.module.css';
import type { ColumnChoice, DataTableProps, Grouping } from './data-table-model.ts';
import type { SavedViews } from './views/use-saved-view.ts';
import { ViewsMenu } from './views/views-menu.tsx';

type ToolbarProps<Row> = Pick<
  DataTableProps<Row>,
  | 'id'
  | 'columns'
  | 'rows'
  | 'filters'
  | 'hasSearch'
  | 'searchLabel'
  | 'groupings'
  | 'total'
  | 'more'
  | 'remote'
  | 'csvUrl'
> & {
  isNarrow: boolean;
  maxWidth: number | undefined;
  search: string;
  onSearch: (text: string) => void;
  grouping: Grouping<Row> | undefined;
  onGroup: (id: string) => void;
  shownCount: number;
  arranged: readonly ArrangedColumn<Row>[];
  onArrange: (choice: ColumnChoice) => void;
  saved: SavedViews;
  /** What the table shows now. */
  content: ViewContent;
  /** Puts the table on the clipboard and answers how many rows that were. */
  copy: () => Promise<number>;
  exportCsv: () => Promise<void>;
};

/** Above a table: filters, search, grouping, the number of rows, the choice of columns, copy and export. */
export function TableToolbar<Row>(props: ToolbarProps<Row>) {
  const { columns, rows, groupings, isNarrow, shownCount } = props;
  const { t } = useTranslation();
  return (
    <div className={classes.toolbar} style={{ maxWidth: props.maxWidth }}>
      {props.filters}
      {(props.hasSearch ?? true) && (
        <SearchField label={props.searchLabel ?? t('table.search')} value={props.search} onChange={props.onSearch} />
      )}
      {groupings && groupings.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label={t('table.groupBy')}
          value={props.grouping?.id ?? 'none'}
          onChange={(event) => props.onGroup(event.currentTarget.value)}
          data={[
            ...groupings.map((one) => ({ value: one.id, label: t('table.groupedBy', { what: one.label }) })),
            { value: 'none', label: t('table.notGrouped') },
          ]}
        />
      )}
      <div className={classes.tools}>
        <span className={classes.count} role="status">
          {rows && (
            <RowCount
              shown={shownCount}
              read={rows.length}
              total={props.total}
              more={props.more}
              remote={props.remote}
            />
          )}
        </span>
        {!isNarrow && columns.length > 2 && (
          <>
            <ViewsMenu table={props.id} columns={columns} saved={props.saved} content={props.content} />
            <ColumnChooser arranged={props.arranged} onArrange={props.onArrange} />
          </>
        )}
        {/* Browsers keep the clipboard from pages without TLS. */}
        {!isNarrow && window.isSecureContext && <CopyButton copy={props.copy} disabled={shownCount === 0} />}
        {props.csvUrl ? (
          <Tooltip label={t('table.downloadCsv')}>
            <ActionIcon component="a" href={props.csvUrl} download aria-label={t('table.downloadCsv')}>
              <IconDownload size={18} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <IconButton label={t('table.exportCsv')} onClick={() => void props.exportCsv()} disabled={shownCount === 0}>
            <IconDownload size={18} />
          </IconButton>
        )}
      </div>
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
