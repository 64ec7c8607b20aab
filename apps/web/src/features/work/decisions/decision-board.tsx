import type { DecisionDetail } from '@heterosis/contracts/work/decisions';
import { Button, NativeSelect } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { formatCount } from '../../../lib/format/format.ts';
import { boardColumns } from './board-columns.tsx';
import { type BoardRow, isShown, SHOWN, type Shown } from './board-rows.ts';
import { CompareDialog, MOST_COMPARED } from './compare-dialog.tsx';
import classes from './decisions.module.css';
import { LinePanel } from './line-panel.tsx';
import { MARK_KEYS, MARKS } from './mark-buttons.tsx';
import type { MarkQueue } from './use-mark-queue.ts';

/** The table of the lines with the chosen one beside it. A, H, D and U mark the line that has the focus. */
export function DecisionBoard(props: {
  projectId: string;
  decision: DecisionDetail;
  rows: readonly BoardRow[];
  queue: MarkQueue;
  mayMark: boolean;
}) {
  const { projectId, decision, rows, queue, mayMark } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { line?: string; shown?: string; large?: string };
  const [compared, setCompared] = useState<readonly BoardRow[]>([]);
  const shown = SHOWN.find((one) => one === search.shown) ?? 'all';
  const change = (values: { line?: string | undefined; shown?: Shown }): void =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...values, ...(values.shown === 'all' && { shown: undefined }) }) as never,
      ...{ replace: true, resetScroll: false },
    });
  const current = rows.find(({ number }) => String(number) === search.line);
  // With a line open beside the table, that is the line which has the focus.
  const handleFocus = (event: FocusEvent<HTMLDivElement>): void => {
    const line = (event.target as HTMLElement).closest('tr')?.querySelector<HTMLElement>('[data-line]')?.dataset.line;
    if (line !== undefined && current !== undefined && line !== search.line) change({ line });
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const target = event.target as HTMLElement;
    if (target.closest('input, textarea, [role="dialog"]')) return;
    if (event.key === 'Escape' && current !== undefined) return change({ line: undefined });
    const mark = MARK_KEYS[event.key.toLowerCase()];
    if (!mayMark || mark === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest('section[aria-label]')) return;
    const named = target.closest('tr')?.querySelector<HTMLElement>('[data-line]')?.dataset.line;
    const row = rows.find(({ number }) => String(number) === (named ?? search.line));
    if (row === undefined || row.isCheck) return;
    event.preventDefault();
    // A row that leaves the table takes the focus with it.
    const next = target.closest('tr')?.nextElementSibling?.querySelector<HTMLElement>('[data-row-opener]');
    queue.mark([row.number], mark);
    if (shown === 'open') next?.focus();
  };
  return (
    <div
      className={`${classes.columns} ${search.large === undefined ? '' : classes.large}`}
      data-panel={current !== undefined}
      onKeyDown={handleKey}
      onFocus={handleFocus}
      role="presentation"
    >
      <div>
        {queue.isStuck && <Notice kind="warning">{t('decisions.notSent', { count: queue.waiting })}</Notice>}
        <DataTable
          id="decision"
          label={t('decisions.lines')}
          columns={boardColumns(decision, rows, { t, queue, mayMark, isLarge: search.large !== undefined })}
          rows={rows.filter((row) => isShown(row, shown))}
          rowId={(row) => String(row.number)}
          onOpen={(row) => change({ line: String(row.number) })}
          isMarked={(row) => row === current}
          defaultSort={{ column: 'index', descending: true }}
          inAddress
          filters={
            <NativeSelect
              size="xs"
              aria-label={t('decisions.shown')}
              value={shown}
              onChange={({ currentTarget }) => change({ shown: currentTarget.value as Shown })}
              data={SHOWN.map((value) => ({
                value,
                label: t('decisions.shownCount', {
                  what: t(`decisions.show.${value}`),
                  count: formatCount(rows.filter((row) => isShown(row, value)).length),
                }),
              }))}
            />
          }
          startsUngrouped
          groupings={[
            {
              id: 'family',
              label: t('decisions.family'),
              key: ({ family }) => family ?? '',
              title: ({ family }) => family ?? t('decisions.noFamily'),
            },
            {
              id: 'together',
              label: t('decisions.together'),
              key: ({ outcome }) => (outcome.isDisagreed ? 'DISAGREED' : outcome.mark),
              title: ({ outcome }) =>
                outcome.isDisagreed ? t('decisions.disagreed') : t(`decisions.mark.${outcome.mark}`),
            },
          ]}
          csvName={decision.name}
          bulkActions={(chosen, clear) => (
            <>
              {mayMark &&
                MARKS.map((mark) => (
                  <Button
                    key={mark}
                    size="compact-xs"
                    variant="default"
                    onClick={() => {
                      queue.mark(
                        chosen.flatMap(({ isCheck, number }) => (isCheck ? [] : [number])),
                        mark,
                      );
                      clear();
                    }}
                  >
                    {t(`decisions.mark.${mark}`)}
                  </Button>
                ))}
              <Button
                size="compact-xs"
                variant="default"
                disabled={chosen.length < 2 || chosen.length > MOST_COMPARED}
                onClick={() => setCompared(chosen)}
              >
                {t('decisions.compareUpTo', { count: MOST_COMPARED })}
              </Button>
            </>
          )}
        />
        {mayMark && <p className={classes.keys}>{t('decisions.keys')}</p>}
      </div>
      {current && (
        <LinePanel
          projectId={projectId}
          decision={decision}
          row={current}
          queue={queue}
          mayMark={mayMark}
          onClose={() => change({ line: undefined })}
        />
      )}
      {compared.length > 0 && <CompareDialog decision={decision} rows={compared} onClose={() => setCompared([])} />}
    </div>
  );
}
