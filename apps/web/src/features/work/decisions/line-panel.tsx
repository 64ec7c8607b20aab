import type { DecisionDetail, DecisionMarkValue } from '@heterosis/contracts/work/decisions';
import { Button, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconX } from '../../../components/icons.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { formatShare, formatStatistic } from '../../../lib/format/format.ts';
import { CommentThread } from '../../people/comments/index.ts';
import type { BoardRow } from './board-rows.ts';
import classes from './decisions.module.css';
import { MARKS, MarkWord } from './mark-buttons.tsx';
import type { MarkQueue } from './use-mark-queue.ts';

/** One line beside the table: its values with their errors, what everybody says, and one's own reason. */
export function LinePanel(props: {
  projectId: string;
  decision: DecisionDetail;
  row: BoardRow;
  queue: Pick<MarkQueue, 'mark'>;
  mayMark: boolean;
  onClose: () => void;
}) {
  const { projectId, decision, row, queue, mayMark, onClose } = props;
  const { t } = useTranslation();
  const { outcome } = row;
  return (
    <section className={classes.panel} aria-label={row.name}>
      <div className={classes.panelHead}>
        <h2>{row.name}</h2>
        <IconButton label={t('action.close')} variant="subtle" onClick={onClose}>
          <IconX size={16} />
        </IconButton>
      </div>
      {row.germplasmId !== null && (
        <Link
          className="hx-link"
          to="/projects/$projectId/germplasm/$germplasmId"
          params={{ projectId, germplasmId: row.germplasmId }}
        >
          {t('decisions.linePage')}
        </Link>
      )}
      <dl className={classes.panelFacts}>
        {row.family !== null && <Fact label={t('decisions.family')} value={row.family} />}
        {row.stage !== null && <Fact label={t('decisions.stage')} value={row.stage} />}
        <Fact label={t('decisions.index')} value={formatStatistic(row.index)} />
        <Fact label={t('decisions.beats')} value={formatShare(row.beatsCheck)} />
        <Fact label={t('decisions.amongBest', { best: decision.settings.best })} value={formatShare(row.amongBest)} />
        {decision.columns.map((column, c) => (
          <Fact
            key={`${column.kind} ${column.trait}`}
            label={`${column.trait} (${t(`decisions.short.${column.kind}`)})`}
            value={`${formatStatistic(row.values[c])}${row.ses[c] == null ? '' : ` ± ${formatStatistic(row.ses[c])}`} ${column.unit ?? ''}`}
          />
        ))}
      </dl>
      {!row.isCheck && (
        <>
          <MarkWord mark={outcome.mark} isDisagreed={outcome.isDisagreed} />
          <ul className={classes.said}>
            {outcome.settlement !== undefined && (
              <Said title={t('decisions.settledBy', { name: outcome.settlement.person })} {...outcome.settlement} />
            )}
            {outcome.marks.map((one) => (
              <Said key={one.id} title={one.person ?? t('person.deleted')} {...one} />
            ))}
          </ul>
          {mayMark && <ReasonedMark key={row.number} row={row} queue={queue} mayChair={decision.may_chair} />}
        </>
      )}
      {row.germplasmId !== null && (
        <CommentThread projectId={projectId} entityKind="germplasm" entityId={row.germplasmId} />
      )}
    </section>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt className="hx-muted">{label}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Said(props: { title: string; mark: DecisionMarkValue; reason: string; marked_at: string }) {
  return (
    <li>
      <strong>{props.title}</strong> <MarkWord mark={props.mark} />{' '}
      <span className="hx-muted">
        <RelativeTime date={props.marked_at} />
      </span>
      {props.reason !== '' && <div>{props.reason}</div>}
    </li>
  );
}

/** A mark with its reason, as one's own or as the chair's for all. */
function ReasonedMark(props: { row: BoardRow; queue: Pick<MarkQueue, 'mark'>; mayChair: boolean }) {
  const { row, queue, mayChair } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const send = (mark: DecisionMarkValue, settles: boolean): void => {
    queue.mark([row.number], mark, { reason: reason.trim(), settles });
    setReason('');
  };
  return (
    <>
      <Textarea
        label={t('decisions.reason')}
        description={t('decisions.reasonHint')}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={1000}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div className={classes.tools}>
        {MARKS.map((mark) => (
          <Button
            key={mark}
            size="compact-sm"
            variant={row.mine === mark ? 'filled' : 'default'}
            onClick={() => send(mark, false)}
          >
            {t(`decisions.mark.${mark}`)}
          </Button>
        ))}
      </div>
      {mayChair && (
        <div className={classes.tools} role="group" aria-label={t('decisions.settle')}>
          <span className="hx-muted">{t('decisions.settle')}</span>
          {MARKS.map((mark) => (
            <Button key={mark} size="compact-xs" variant="default" onClick={() => send(mark, true)}>
              {mark === 'UNDECIDED' ? t('decisions.leaveOpen') : t(`decisions.mark.${mark}`)}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
