import type { ProjectCard } from '@heterosis/contracts/people/home';
import { Badge } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NameText } from '../../../components/table/name-text.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { runLink } from '../../../lib/browser/run-kinds.ts';
import { FavouriteButton } from './favourite-button.tsx';
import classes from './home.module.css';

interface ProjectCardsProps {
  projects: readonly ProjectCard[];
  /** Several organizations: each card names its own. */
  namesOrganization: boolean;
  menu: (project: ProjectCard) => ReactNode;
}

/** Projects with the latest activity first, each with what it found last. */
export function ProjectCards({ projects, namesOrganization, menu }: ProjectCardsProps) {
  const { t } = useTranslation();
  return (
    <ul className={classes.cards} aria-label={t('nav.projects')}>
      {projects.map((project) => (
        <li key={project.id} className={classes.card}>
          <div className={classes.cardHead}>
            <Link to="/projects/$projectId" params={{ projectId: project.id }} className={classes.cardName}>
              <NameText name={project.name} />
            </Link>
            <span className={classes.cardTools}>
              <FavouriteButton item={{ projectId: project.id, kind: 'project', id: project.id, name: project.name }} />
              {menu(project)}
            </span>
          </div>
          <p className={classes.cardFacts}>
            {[project.crop?.name, namesOrganization ? project.organization?.name : undefined, t(`role.${project.role}`)]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <LastResult project={project} />
          <p className={classes.cardFoot}>
            <span>
              {t('column.lastActivity')}: <RelativeTime date={project.last_active_at} />
            </span>
            {project.running > 0 && (
              <Badge variant="light" color="blue" size="sm">
                {t('leftOff.running', { count: project.running })}
              </Badge>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function LastResult({ project }: { project: ProjectCard }) {
  const { t } = useTranslation();
  const { last_result: result } = project;
  if (result === null) return <p className={classes.cardNothing}>{t('leftOff.noResult')}</p>;
  return (
    <p className={classes.cardResult}>
      <Link {...(runLink(result.kind, project.id, result.id) as LinkProps)} className="hx-link">
        {t('leftOff.resultOf', { kind: t(`kind.${result.kind}`), name: result.name })}
      </Link>
      {result.key_figure === null ? ` ${t('leftOff.resultReady')}` : `: ${result.key_figure}`}
      <span className="hx-muted">
        {' · '}
        <RelativeTime date={result.finished_at} />
      </span>
    </p>
  );
}
