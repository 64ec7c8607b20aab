import type { StagedObservation } from '@heterosis/contracts/data/trial-observations';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { formatCount, formatDateTime } from '../../../../lib/format/format.ts';
import { SHOWN_AT_ONCE } from './questions.tsx';
import { NOTHING } from './value-table.ts';
import { stagedQuery, useSettleStaged } from './values.api.ts';
import classes from './values.module.css';

/** Values that apps have sent and that wait, beside what the plots have. Nothing where none waits. */
export function Staged(props: { projectId: string; trialId: string; mayWrite: boolean }) {
  const { projectId, trialId, mayWrite } = props;
  const { t } = useTranslation();
  const { data } = useQuery(stagedQuery(projectId, trialId));
  const settle = useSettleStaged(projectId, trialId);
  if (!data || data.total === 0) return null;
  const idsOf = (rows: readonly StagedObservation[]): string[] => rows.map(({ id }) => id);
  const first = data.data.filter(({ present }) => present.length === 0);
  const shown = data.data.slice(0, SHOWN_AT_ONCE);
  return (
    <Section
      title={t('trials.staged.title')}
      note={t('trials.staged.note', { count: data.total })}
      action={
        mayWrite && (
          <>
            {first.length > 0 && first.length < data.data.length && (
              <Button size="xs" variant="default" onClick={() => settle.mutate({ accept: idsOf(first) })}>
                {t('trials.staged.acceptNew', { count: first.length })}
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => settle.mutate({ accept: idsOf(data.data) })}>
              {t('trials.staged.acceptAll', { count: data.data.length })}
            </Button>
            <Button size="xs" variant="default" onClick={() => settle.mutate({ decline: idsOf(data.data) })}>
              {t('trials.staged.declineAll', { count: data.data.length })}
            </Button>
          </>
        )
      }
    >
      {settle.error && <ErrorNotice error={settle.error} />}
      <ul className={classes.questions}>
        {shown.map((row) => (
          <Waiting
            key={row.id}
            row={row}
            isReadOnly={!mayWrite}
            isBusy={settle.isPending}
            onSettle={(how) => settle.mutate({ [how]: [row.id] })}
          />
        ))}
      </ul>
      {data.total > shown.length && (
        <p className="hx-muted">{t('trials.moreQuestions', { n: formatCount(data.total - shown.length) })}</p>
      )}
    </Section>
  );
}

/** A value that was sent, after what the plot has. */
function Waiting(props: {
  row: StagedObservation;
  isReadOnly: boolean;
  isBusy: boolean;
  onSettle: (how: 'accept' | 'decline') => void;
}) {
  const { row, isReadOnly, isBusy, onSettle } = props;
  const { t } = useTranslation();
  const cell = t('trials.valueOf', { trait: row.trait, plot: row.plot });
  const before = row.present.map(({ value }) => value ?? NOTHING).join(', ');
  const sent = row.value ?? NOTHING;
  return (
    <li>
      <strong>{cell}</strong>
      <span className={classes.sent}>
        {before === '' ? (
          t('trials.staged.first', { sent })
        ) : (
          <>
            {before} → <b>{sent}</b>
          </>
        )}{' '}
        <small className="hx-muted">
          {[row.collector ?? row.created_by, formatDateTime(row.observed_at)].filter(Boolean).join(', ')}
        </small>
      </span>
      {!isReadOnly && (
        <span className={classes.answers}>
          {(['accept', 'decline'] as const).map((how) => (
            <Button
              key={how}
              size="xs"
              variant={how === 'accept' ? 'filled' : 'default'}
              disabled={isBusy}
              aria-label={t(`trials.staged.${how}Cell`, { cell, sent })}
              onClick={() => onSettle(how)}
            >
              {t(`trials.staged.${how}`)}
            </Button>
          ))}
        </span>
      )}
    </li>
  );
}
