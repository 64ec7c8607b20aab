import type { DecisionDetail } from '@heterosis/contracts/work/decisions';
import type { TFunction } from 'i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { NameText } from '../../../components/table/name-text.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatShare, sharedDecimals } from '../../../lib/format/format.ts';
import type { BoardRow } from './board-rows.ts';
import { MarkButtons, MarkWord } from './mark-buttons.tsx';
import type { MarkQueue } from './use-mark-queue.ts';

/** What the table of a decision shows of each line. */
export function boardColumns(
  decision: DecisionDetail,
  rows: readonly BoardRow[],
  { t, queue, mayMark, isLarge }: { t: TFunction; queue: Pick<MarkQueue, 'mark'>; mayMark: boolean; isLarge: boolean },
): DataColumn<BoardRow>[] {
  const several = new Set(decision.columns.map(({ trait }) => trait)).size < decision.columns.length;
  const indexDecimals = sharedDecimals(rows.map(({ index }) => index));
  const share = (id: string, header: string, hint: string, value: (row: BoardRow) => number | null) => ({
    ...{ id, header, hint, value, numeric: true, width: 110 },
    cell: (row: BoardRow) => formatShare(value(row)),
  });
  return [
    {
      id: 'name',
      header: t('decisions.line'),
      value: (row) => row.name,
      cell: (row) => (
        <span data-line={row.number}>
          <NameText name={row.isCheck ? t('decisions.isCheck', { name: row.name }) : row.name} />
        </span>
      ),
      minWidth: 150,
    },
    {
      id: 'mine',
      header: t('decisions.myMark'),
      hint: t('decisions.myMarkHint'),
      value: (row) => row.mine ?? null,
      cell: (row) =>
        row.isCheck ? null : (
          <MarkButtons
            label={t('decisions.marksOf', { name: row.name })}
            value={row.mine}
            isDisabled={!mayMark}
            onMark={(mark) => queue.mark([row.number], mark)}
          />
        ),
      width: isLarge ? 170 : 128,
      narrow: true,
    },
    {
      id: 'outcome',
      header: t('decisions.together'),
      hint: t('decisions.togetherHint'),
      value: (row) => (row.outcome.isDisagreed ? t('decisions.disagreed') : t(`decisions.mark.${row.outcome.mark}`)),
      cell: ({ isCheck, outcome }) =>
        isCheck ? null : <MarkWord mark={outcome.mark} isDisagreed={outcome.isDisagreed} />,
      width: isLarge ? 180 : 140,
    },
    {
      id: 'index',
      header: t('decisions.index'),
      hint: t('decisions.indexHint'),
      value: (row) => row.index,
      cell: (row) => <NumberCell value={row.index} decimals={indexDecimals} />,
      ...{ numeric: true, width: 90 },
    },
    share('beats', t('decisions.beats'), t('decisions.beatsHint'), (row) => row.beatsCheck),
    {
      ...share('every', t('decisions.every'), t('decisions.everyHint'), (row) => row.beatsEvery),
      hidden: decision.columns.filter((column) => column.in_index).length < 2,
    },
    share(
      'best',
      t('decisions.amongBest', { best: decision.settings.best }),
      t('decisions.amongBestHint'),
      (row) => row.amongBest,
    ),
    ...decision.columns.map((column, c): DataColumn<BoardRow> => {
      const decimals = sharedDecimals(rows.map(({ values }) => values[c]));
      const header = several ? `${column.trait} (${t(`decisions.short.${column.kind}`)})` : column.trait;
      return {
        ...{
          id: `${column.kind} ${column.trait}`,
          header,
          unit: column.unit ?? undefined,
          numeric: true,
          minWidth: 100,
        },
        hint: t('decisions.columnHint', { what: column.what, run: column.run_name }),
        value: (row) => row.values[c] ?? null,
        cell: (row) => <NumberCell value={row.values[c] ?? null} decimals={decimals} />,
        exported: [
          { header, unit: column.unit ?? undefined, value: (row) => row.values[c] ?? null },
          { header: `${header} se`, value: (row) => row.ses[c] ?? null },
        ],
      };
    }),
    { id: 'family', header: t('decisions.family'), value: (row) => row.family, minWidth: 130 },
    { id: 'stage', header: t('decisions.stage'), value: (row) => row.stage, width: 120, hidden: true },
    {
      id: 'said',
      header: t('decisions.said'),
      value: (row) =>
        row.outcome.marks.map(({ person, mark }) => `${person ?? ''}: ${t(`decisions.mark.${mark}`)}`).join('; '),
      minWidth: 180,
      hidden: true,
    },
  ];
}
