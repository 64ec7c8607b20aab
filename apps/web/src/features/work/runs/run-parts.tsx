import { isRetryable } from '@heterosis/contracts/work/runs';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import { RunProgress } from '../../../components/page/run-progress.tsx';
import { Section } from '../../../components/page/section.tsx';
import { StateBadge } from '../../../components/table/state-badge.tsx';
import { formatDuration } from '../../../lib/format/format.ts';
import { profileQuery, RUN_MAILS_ID } from '../../people/accounts/index.ts';
import classes from './run-parts.module.css';
import {
  badgeOf,
  failuresOf,
  overallShare,
  type RunState,
  runningTogether,
  runsBefore,
  type Stages,
  type TraitState,
  WHOLE,
} from './run-state.ts';
import { traitNames } from './trait-names.ts';

interface RunWarning {
  code: string;
  message: string;
  suggestion?: string | null | undefined;
}

/** State of a run over all its traits, with the share done while it runs. */
export function RunStateBadge({ state, isAnnounced }: { state: RunState; isAnnounced?: boolean }) {
  const { t } = useTranslation();
  const { kind, label } = badgeOf(state);
  const share = kind === 'processing' ? overallShare(state.progress) : undefined;
  return <StateBadge kind={kind} label={label(t)} share={share} isAnnounced={isAnnounced ?? false} />;
}

/** What runs: a line for the traits that are equally far. */
export function RunningTraits(props: {
  state: RunState;
  /** Beside the bar of a run that has no traits of its own. */
  name: string;
  stages: Stages;
  /** Absent for those who may only read. */
  onCancel: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const stagesIn = (state: TraitState) =>
    (typeof props.stages === 'function' ? props.stages(state) : props.stages).map((stage) => ({
      id: stage,
      label: t(`runs.stage.${stage}`),
    }));
  const running = runningTogether(props.state);
  if (running.length === 0) return null;
  const place = runsBefore(props.state.progress);
  return (
    <Section
      title={t('runs.inProgress')}
      note={
        <>
          {t('runs.leave')} <MailNote />
        </>
      }
      action={
        props.onCancel && (
          <Button size="xs" variant="default" onClick={props.onCancel}>
            {t('runs.cancel')}
          </Button>
        )
      }
    >
      {place !== undefined && <p role="status">{t('runs.place', { count: place })}</p>}
      {(place === undefined ? running : []).map(({ traits, state, step }) => (
        <RunProgress
          key={traits[0]}
          label={traits[0] === WHOLE ? props.name : traitNames(traits, t)}
          stages={stagesIn(state)}
          current={step?.stage ?? 'queued'}
          done={step?.done ?? 0}
          total={step?.total ?? 0}
          startedAt={step?.started_at}
        />
      ))}
    </Section>
  );
}

/** The main table of a run; nothing as long as there is none. */
export function DownloadCsv({ url, isAside = false }: { url: string | null | undefined; isAside?: boolean }) {
  const { t } = useTranslation();
  if (!url) return null;
  return (
    <Button component="a" href={url} download {...(isAside ? { variant: 'default' } : {})}>
      {t('action.downloadCsv')}
    </Button>
  );
}

/** What to mind about the results, with what to do. */
export function RunWarnings({ warnings = [] }: { warnings?: readonly RunWarning[] | undefined }) {
  return warnings.map(({ code, message, suggestion }) => (
    <Notice key={`${code} ${message}`} kind="warning">
      {message} {suggestion}
    </Notice>
  ));
}

/** Whether a mail comes at the end, and where that is chosen. */
function MailNote() {
  const { t } = useTranslation();
  const { data: profile } = useQuery(profileQuery());
  if (!profile) return null;
  const { run_mail_minutes: minutes } = profile;
  return (
    <>
      {minutes === null ? t('runs.noMail') : t('runs.mailAfter', { time: formatDuration(minutes * 60) })}{' '}
      <Link to="/account" hash={RUN_MAILS_ID} className="hx-link">
        {t(minutes === null ? 'runs.askForMail' : 'runs.changeMail')}
      </Link>
    </>
  );
}

/** Why a run failed: the sentence, what to do, Retry; code and further facts folded. */
export function RunFailures({
  state,
  name,
  onRetry,
  isRetrying,
  onChange,
}: {
  state: RunState;
  /** Before the failure of a run that has no traits of its own, where the page does not say which run it is. */
  name?: string;
  /** Absent for those who may only read. */
  onRetry: (() => void) | undefined;
  isRetrying: boolean;
  /** Opens the dialog that starts another one; absent where that is not possible. */
  onChange: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const failures = failuresOf(state.errorExtras).map((failure) => ({
    ...failure,
    subject: failure.traits[0] === WHOLE ? name : failure.traits.join(', '),
  }));
  if (failures.length === 0) return null;
  return (
    <div
      className={classes.failures}
      role="alert"
      data-cancelled={failures.every((failure) => failure.code === 'runs/cancelled') || undefined}
    >
      {failures.map((failure) => (
        <div key={`${failure.code} ${failure.subject}`}>
          <p className={classes.sentence}>
            {failure.subject && <strong>{failure.subject}: </strong>}
            {failure.message}
          </p>
          {failure.action && <p className={classes.whatToDo}>{failure.action}</p>}
          <details>
            <summary>{t('runs.details')}</summary>
            <code>{failure.code}</code>
            {failure.rest.map(([key, value]) => (
              <div key={key}>
                {key}: {value}
              </div>
            ))}
          </details>
        </div>
      ))}
      <Group gap="xs">
        {onRetry && failures.some(({ code }) => isRetryable(code)) && (
          <Button size="xs" variant="default" loading={isRetrying} onClick={onRetry}>
            {t('action.retry')}
          </Button>
        )}
        {onChange && failures.some(({ code }) => !isRetryable(code)) && (
          <Button size="xs" variant="default" onClick={onChange}>
            {t('runs.runAgain')}
          </Button>
        )}
      </Group>
    </div>
  );
}
