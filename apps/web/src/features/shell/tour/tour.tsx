import { Button, CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type LinkProps, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useProjectId } from '../../../lib/session/current.ts';
import { overviewQuery, projectsQuery } from '../../people/projects/index.ts';
import classes from './tour.module.css';
import { tourStops } from './tour-stops.ts';

/** A walk along real results: one sentence at each stop says what the figure decides. The stop is in the address. */
export function Tour() {
  const projectId = useProjectId();
  return projectId === undefined ? <ToFirstProject /> : <Stops projectId={projectId} />;
}

/** The tour was begun outside a project, for example from the help. */
function ToFirstProject() {
  const { data: projects } = useQuery(projectsQuery());
  const [first] = projects ?? [];
  if (first === undefined) return null;
  return <Navigate to="/projects/$projectId" params={{ projectId: first.id }} search={{ tour: '1' }} replace />;
}

function Stops({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tour } = useSearch({ strict: false });
  const { data: overview } = useQuery(overviewQuery(projectId));
  if (!overview) return null;
  const stops = tourStops(projectId, overview);
  const at = Math.min(Math.max(Number(tour) || 1, 1), stops.length);
  const stop = stops[at - 1];
  if (!stop) return null;
  const goTo = (number: number): void => {
    const { link } = stops[number - 1] ?? stop;
    void navigate({ ...link, search: { tour: String(number) } } as LinkProps);
  };
  const end = (): void =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, tour: undefined }), replace: true });
  return (
    <section className={classes.tour} aria-label={t('tour.label')}>
      <div aria-live="polite">
        <p className={classes.place}>{t('tour.place', { at, stops: stops.length })}</p>
        <h2>{t(`tour.stops.${stop.name}.title`)}</h2>
        <p>{t(`tour.stops.${stop.name}.text`)}</p>
      </div>
      <div className={classes.buttons}>
        <Button size="compact-sm" variant="default" disabled={at === 1} onClick={() => goTo(at - 1)}>
          {t('action.back')}
        </Button>
        {at < stops.length ? (
          <Button size="compact-sm" onClick={() => goTo(at + 1)}>
            {t('tour.next')}
          </Button>
        ) : (
          <Button size="compact-sm" onClick={end}>
            {t('tour.done')}
          </Button>
        )}
      </div>
      <CloseButton className={classes.close ?? ''} size="sm" aria-label={t('tour.end')} onClick={end} />
    </section>
  );
}
