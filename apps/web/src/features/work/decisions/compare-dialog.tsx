import type { DecisionDetail } from '@heterosis/contracts/work/decisions';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { formatShare, formatStatistic } from '../../../lib/format/format.ts';
import { inInterval } from '../../data/germplasm/index.ts';
import type { BoardRow } from './board-rows.ts';
import classes from './decisions.module.css';
import { MarkWord } from './mark-buttons.tsx';

export const MOST_COMPARED = 6;

/** Up to six lines side by side; the best value of each row stands out. */
export function CompareDialog(props: { decision: DecisionDetail; rows: readonly BoardRow[]; onClose: () => void }) {
  const { decision, rows, onClose } = props;
  const { t } = useTranslation();
  const line = (
    id: string,
    label: string,
    value: (row: BoardRow) => number | null | undefined,
    more: { isLow?: boolean; text?: (row: BoardRow) => string } = {},
  ) => {
    const known = rows.flatMap((row) => value(row) ?? []);
    const best = more.isLow ? Math.min(...known) : Math.max(...known);
    return (
      <tr key={id}>
        <th scope="row">{label}</th>
        {rows.map((row) => (
          <td key={row.number} className={known.length > 1 && value(row) === best ? classes.best : undefined}>
            {more.text ? more.text(row) : formatStatistic(value(row))}
          </td>
        ))}
      </tr>
    );
  };
  return (
    <ModalFrame title={t('decisions.compare')} onClose={onClose} size="xl" unsaved={{ isDirty: false }}>
      <div className={classes.compare} role="group" aria-label={t('decisions.compare')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('decisions.line')}</th>
              {rows.map((row) => (
                <th key={row.number} scope="col">
                  {row.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t('decisions.together')}</th>
              {rows.map(({ number, isCheck, outcome }) => (
                <td key={number}>
                  {isCheck ? '–' : <MarkWord mark={outcome.mark} isDisagreed={outcome.isDisagreed} />}
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{t('decisions.family')}</th>
              {rows.map((row) => (
                <td key={row.number}>{row.family ?? '–'}</td>
              ))}
            </tr>
            {line('index', t('decisions.index'), (row) => row.index)}
            {line('beats', t('decisions.beats'), (row) => row.beatsCheck, {
              text: (row) => formatShare(row.beatsCheck),
            })}
            {line('best', t('decisions.amongBest', { best: decision.settings.best }), (row) => row.amongBest, {
              text: (row) => formatShare(row.amongBest),
            })}
            {decision.columns.map((column, c) =>
              line(
                `${column.kind} ${column.trait}`,
                `${column.trait} (${[t(`decisions.short.${column.kind}`), column.unit].filter(Boolean).join(', ')})`,
                (row) => row.values[c],
                {
                  isLow: !column.is_higher_better,
                  text: (row) => inInterval(row.values[c] ?? null, row.ses[c] ?? null),
                },
              ),
            )}
          </tbody>
        </table>
      </div>
    </ModalFrame>
  );
}
