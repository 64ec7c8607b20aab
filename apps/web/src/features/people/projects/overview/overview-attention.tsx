import type { FailedThing, ProjectOverview } from '@heterosis/contracts/people/projects';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import { StateBadge } from '../../../../components/table/state-badge.tsx';
import classes from './project-overview-page.module.css';
import { recentLink } from './recent-runs.tsx';

/** Invalid files and failed runs, each with its reason. Nothing is shown when there are none. */
export function OverviewAttention({ projectId, overview }: { projectId: string; overview: ProjectOverview }) {
  const { t } = useTranslation();
  const { failed, failed_total: total } = overview;
  if (total === 0) return null;
  return (
    <Section title={t('overview.attention')}>
      <ul className={classes.runs}>
        {failed.map((thing) => (
          <FailedLine key={`${thing.kind} ${thing.id}`} projectId={projectId} thing={thing} />
        ))}
      </ul>
      {total > failed.length && <p className="hx-muted">{t('word.andCountMore', { count: total - failed.length })}</p>}
    </Section>
  );
}

function FailedLine({ projectId, thing }: { projectId: string; thing: FailedThing }) {
  const { t } = useTranslation();
  const isFile = thing.kind === 'import';
  return (
    <li>
      <span className="hx-muted">{t(`kind.${thing.kind}`)}</span>
      <Link {...recentLink(projectId, thing)} className={classes.runName}>
        {thing.name}
      </Link>
      <span className={classes.keyFigure}>{isFile ? t('overview.invalidFile') : thing.reason}</span>
      <StateBadge kind="error" label={t(isFile ? 'word.invalid' : 'runState.error')} />
      <span className={classes.when}>
        <RelativeTime date={thing.created_at} />
      </span>
    </li>
  );
}
