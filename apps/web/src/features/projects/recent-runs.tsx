import type { RecentRun } from '@heterosis/contracts/projects';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { runLink } from '../../lib/run-kinds.ts';
import classes from './project-overview-page.module.css';

interface RunsProps {
  projectId: string;
  runs: RecentRun[];
}

/** Nothing is said when nothing runs. */
export function RunningRuns({ projectId, runs }: RunsProps) {
  const { t } = useTranslation();
  const running = runs.filter((run) => run.state === 'processing');
  if (running.length === 0) return null;
  return (
    <Section title={t('overview.running')}>
      <ul className={classes.runs}>
        {running.map((run) => (
          <RunLine key={`${run.kind} ${run.id}`} projectId={projectId} run={run} />
        ))}
      </ul>
    </Section>
  );
}

export function FinishedRuns({ projectId, runs }: RunsProps) {
  const { t } = useTranslation();
  const finished = runs.filter((run) => run.state !== 'processing');
  if (finished.length === 0) return null;
  return (
    <Section title={t('overview.finished')}>
      <ul className={classes.runs}>
        {finished.map((run) => (
          <RunLine key={`${run.kind} ${run.id}`} projectId={projectId} run={run} />
        ))}
      </ul>
    </Section>
  );
}

function RunLine({ projectId, run }: { projectId: string; run: RecentRun }) {
  const { t } = useTranslation();
  const state = run.state === 'processing' && run.is_waiting ? 'waiting' : run.state;
  return (
    <li>
      <span className="hx-muted">{t(`runKind.${run.kind}`)}</span>
      <Link {...linkOf(projectId, run)} className={classes.runName}>
        {run.name}
      </Link>
      <span className={classes.keyFigure}>{run.key_figure}</span>
      <StateBadge
        kind={state === 'cancelled' ? 'waiting' : state}
        label={t(`runState.${state}`)}
        share={state === 'processing' ? (run.progress ?? undefined) : undefined}
      />
      <span className={classes.when}>
        <RelativeTime date={run.finished_at ?? run.created_at} />
      </span>
    </li>
  );
}

function linkOf(projectId: string, run: RecentRun): LinkProps {
  if (run.kind !== 'import') return runLink(run.kind, projectId, run.id);
  return { to: '/projects/$projectId/files/$fileId', params: { projectId, fileId: run.id } };
}
