import type { RecentRun } from '@heterosis/contracts/people/projects';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import { StateBadge } from '../../../../components/table/state-badge.tsx';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
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
      <RunLines projectId={projectId} runs={running} />
    </Section>
  );
}

/** File checks are folded: what matters of them stands above, among the data and what needs attention. */
export function FinishedRuns({ projectId, runs }: RunsProps) {
  const { t } = useTranslation();
  const finished = runs.filter((run) => run.state !== 'processing');
  const checks = finished.filter(({ kind }) => kind === 'import');
  if (finished.length === 0) return null;
  return (
    <Section title={t('overview.finished')}>
      <RunLines projectId={projectId} runs={finished.filter(({ kind }) => kind !== 'import')} />
      {checks.length > 0 && (
        <details className={classes.checks}>
          <summary>{t('overview.fileChecks', { count: checks.length })}</summary>
          <RunLines projectId={projectId} runs={checks} />
        </details>
      )}
    </Section>
  );
}

function RunLines({ projectId, runs }: RunsProps) {
  if (runs.length === 0) return null;
  return (
    <ul className={classes.runs}>
      {runs.map((run) => (
        <RunLine key={`${run.kind} ${run.id}`} projectId={projectId} run={run} />
      ))}
    </ul>
  );
}

function RunLine({ projectId, run }: { projectId: string; run: RecentRun }) {
  const { t } = useTranslation();
  const state = run.state === 'processing' && run.is_waiting ? 'waiting' : run.state;
  return (
    <li>
      <span className="hx-muted">{t(`kind.${run.kind}`)}</span>
      <Link {...recentLink(projectId, run)} className={classes.runName}>
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

export function recentLink(projectId: string, run: Pick<RecentRun, 'kind' | 'id'>): LinkProps {
  if (run.kind !== 'import') return runLink(run.kind, projectId, run.id);
  return { to: '/projects/$projectId/files/$fileId', params: { projectId, fileId: run.id } };
}
