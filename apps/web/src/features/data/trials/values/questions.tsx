import type { TrialConflict } from '@heterosis/contracts/data/trial-observations';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { formatCount, formatDateTime } from '../../../../lib/format/format.ts';
import { NOTHING } from './value-table.ts';
import { conflictsQuery, useSettleConflict } from './values.api.ts';
import classes from './values.module.css';

/** Questions that are shown at once; answered ones make room for the next. */
export const SHOWN_AT_ONCE = 30;

/** Plots with several values of one trait, of which a person says which one counts. Nothing where there are none. */
export function Questions(props: { projectId: string; trialId: string; mayWrite: boolean }) {
  const { projectId, trialId, mayWrite } = props;
  const { t } = useTranslation();
  const { data } = useQuery(conflictsQuery(projectId, trialId));
  const settle = useSettleConflict(projectId, trialId);
  if (!data || data.total === 0) return null;
  const shown = data.data.slice(0, SHOWN_AT_ONCE);
  return (
    <Section title={t('trials.questions')} note={t('trials.questionsNote', { count: data.total })}>
      {settle.error && <ErrorNotice error={settle.error} />}
      <ul className={classes.questions}>
        {shown.map((conflict) => (
          <Question
            key={`${conflict.plot} ${conflict.trait}`}
            conflict={conflict}
            isReadOnly={!mayWrite || settle.isPending}
            chosen={settle.isPending ? settle.variables[0] : undefined}
            onKeep={(id) => settle.mutate([id])}
          />
        ))}
      </ul>
      {data.total > shown.length && (
        <p className="hx-muted">{t('trials.moreQuestions', { n: formatCount(data.total - shown.length) })}</p>
      )}
    </Section>
  );
}

/** One plot and trait; each of its values is a button that keeps it. */
function Question(props: {
  conflict: TrialConflict;
  isReadOnly: boolean;
  chosen: string | undefined;
  onKeep: (id: string) => void;
}) {
  const { conflict, isReadOnly, chosen, onKeep } = props;
  const { t } = useTranslation();
  const cell = t('trials.valueOf', { trait: conflict.trait, plot: conflict.plot });
  return (
    <li>
      <strong>{cell}</strong>
      <span className={classes.answers}>
        {conflict.observations.map(({ id, value, collector, observed_at: at }) => {
          const said = value ?? NOTHING;
          const by = [collector, formatDateTime(at)].filter(Boolean).join(', ');
          return (
            <Button
              key={id}
              className={classes.answer}
              variant="default"
              disabled={isReadOnly && chosen !== id}
              loading={chosen === id}
              aria-label={t('trials.keepsThis', { cell, value: said, by })}
              onClick={() => onKeep(id)}
            >
              <b>{said}</b>
              <small>{by}</small>
            </Button>
          );
        })}
      </span>
    </li>
  );
}
