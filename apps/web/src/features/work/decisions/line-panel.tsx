import type { DecisionDetail, DecisionMarkValue } from '@heterosis/contracts/work/decisions';
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconX } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { formatShare, formatStatistic } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { inInterval, PassportPanel } from '../../data/germplasm/index.ts';
import { MentionField, useAddComment, useDraft } from '../../people/comments/index.ts';
import type { BoardRow } from './board-rows.ts';
import classes from './decisions.module.css';
import { MARKS, MarkWord } from './mark-buttons.tsx';
import type { MarkQueue } from './use-mark-queue.ts';

/** As in the style sheet. */
const BELOW_THE_TABLE = '(max-width: 61.99em)';

interface LinePanelProps {
  projectId: string;
  decision: DecisionDetail;
  row: BoardRow;
  queue: Pick<MarkQueue, 'mark'>;
  mayMark: boolean;
  onClose: () => void;
}

/**
 * One line beside the table: what the meeting says of it, and its passport with its comments, where names are shown and
 * the germplasm list has the line.
 */
export function LinePanel(props: LinePanelProps) {
  const { projectId, row, onClose } = props;
  const { t } = useTranslation();
  const close = (
    <IconButton label={t('action.close')} variant="subtle" onClick={onClose}>
      <IconX size={16} />
    </IconButton>
  );
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen it stands below the table.
    if (window.matchMedia(BELOW_THE_TABLE).matches) panel.current?.scrollIntoView({ block: 'start' });
  }, [row.number]);
  return (
    <section ref={panel} className={classes.panel} aria-label={row.name}>
      {row.germplasmId === null ? (
        <>
          <div className={classes.panelHead}>
            <h2>{row.name}</h2>
            {close}
          </div>
          <dl className={classes.panelFacts}>
            <Standing {...props} />
          </dl>
          <InMeeting {...props} />
          {!row.isHidden && <p className="hx-muted">{t('passport.notListed', { name: row.name })}</p>}
        </>
      ) : (
        <PassportPanel
          key={row.number}
          projectId={projectId}
          line={row.germplasmId}
          name={row.name}
          action={close}
          facts={<Standing {...props} />}
        >
          <InMeeting {...props} />
        </PassportPanel>
      )}
    </section>
  );
}

/** Index and probabilities, as facts. */
function Standing({ decision, row }: LinePanelProps) {
  const { t } = useTranslation();
  const facts = [
    [t('decisions.index'), formatStatistic(row.index)],
    [t('decisions.beats'), formatShare(row.beatsCheck)],
    [t('decisions.amongBest', { best: decision.settings.best }), formatShare(row.amongBest)],
  ] as const;
  return facts.map(([label, value]) => (
    <div key={label} className={classes.fact}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  ));
}

/** Values on the table, and who says what. */
function InMeeting({ projectId, decision, row, queue, mayMark }: LinePanelProps) {
  const { t } = useTranslation();
  const { outcome } = row;
  return (
    <>
      <table className={classes.values} aria-label={t('decisions.onTheTable')}>
        <thead>
          <tr>
            <th scope="col">{t('word.trait')}</th>
            <th scope="col">{t('decisions.withInterval')}</th>
            <th scope="col">{t('word.reliability')}</th>
          </tr>
        </thead>
        <tbody>
          {decision.columns.map((column, c) => (
            <tr key={`${column.kind} ${column.trait}`}>
              <th scope="row">
                {withUnit(column.trait, column.unit ?? undefined)}
                <span className={classes.kind}>{t(`decisions.short.${column.kind}`)}</span>
              </th>
              <td>{inInterval(row.values[c] ?? null, row.ses[c] ?? null)}</td>
              <td>{formatStatistic(row.reliabilities[c])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!row.isCheck && (
        <div className={classes.saying}>
          <MarkWord mark={outcome.mark} isDisagreed={outcome.isDisagreed} />
          {outcome.marks.length + Number(outcome.settlement !== undefined) > 0 && (
            <ul className={classes.said}>
              {outcome.settlement !== undefined && (
                <Said title={t('decisions.settledBy', { name: outcome.settlement.person })} {...outcome.settlement} />
              )}
              {outcome.marks.map((one) => (
                <Said key={one.id} title={one.person ?? t('person.deleted')} {...one} />
              ))}
            </ul>
          )}
          {mayMark && (
            <ReasonedMark key={row.number} projectId={projectId} decision={decision} row={row} queue={queue} />
          )}
        </div>
      )}
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

/**
 * A mark with its reason, as one's own or as the chair's for all. Whom the reason mentions is told by a comment on the
 * decision that says the same.
 */
function ReasonedMark(props: {
  projectId: string;
  decision: DecisionDetail;
  row: BoardRow;
  queue: Pick<MarkQueue, 'mark'>;
}) {
  const { projectId, decision, row, queue } = props;
  const { t } = useTranslation();
  const draft = useDraft(projectId);
  const comment = useAddComment({ projectId, entityKind: 'decision', entityId: decision.id });
  const send = (mark: DecisionMarkValue, settles: boolean): void => {
    const reason = draft.text.trim();
    queue.mark([row.number], mark, { reason, settles });
    const mentions = draft.mentions();
    if (mentions.length > 0)
      comment.mutate({ text: `${row.name}, ${t(`decisions.mark.${mark}`)}: ${reason}`, mentions });
    draft.clear();
  };
  return (
    <>
      <MentionField
        draft={draft}
        label={t('decisions.reason')}
        isLabelled
        description={t('decisions.reasonHint')}
        maxLength={1000}
        maxRows={5}
      />
      {comment.error && <ErrorNotice error={comment.error} />}
      <div className={classes.tools}>
        {MARKS.map((mark) => (
          <Button
            key={mark}
            size="compact-sm"
            className={classes.panelMark}
            data-mark={mark}
            aria-pressed={row.mine === mark}
            variant="default"
            onClick={() => send(mark, false)}
          >
            {t(`decisions.mark.${mark}`)}
          </Button>
        ))}
      </div>
      {decision.may_chair && (
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
