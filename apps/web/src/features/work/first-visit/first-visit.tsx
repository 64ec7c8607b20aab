import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconCheck } from '../../../components/icons.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { overviewQuery, useMayWrite } from '../../people/projects/index.ts';
import { BringData } from './bring-data.tsx';
import classes from './first-visit.module.css';
import { InviteColleague } from './invite-colleague.tsx';
import { SeeResults } from './see-results.tsx';
import { stepsDone, VISIT_STEPS, type VisitStep } from './visit-steps.ts';

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const hiddenKey = (projectId: string): string => `heterosis.first-visit.${projectId}`;

/** The way from an empty project to the first crosses, until it has been gone or put away. */
export function FirstVisit({ projectId }: { projectId: string }) {
  const { data: overview } = useQuery(overviewQuery(projectId));
  const mayWrite = useMayWrite(projectId);
  const [isHidden, setHidden] = useState(() => window.localStorage.getItem(hiddenKey(projectId)) !== null);
  if (!overview || !mayWrite || isHidden) return null;
  const done = stepsDone(overview);
  if (VISIT_STEPS.every((step) => done[step])) return null;
  const hide = (): void => {
    window.localStorage.setItem(hiddenKey(projectId), 'hidden');
    setHidden(true);
  };
  return <Steps projectId={projectId} overview={overview} done={done} onHide={hide} />;
}

interface StepsProps {
  projectId: string;
  overview: ProjectOverview;
  done: Record<VisitStep, boolean>;
  onHide: () => void;
}

function Steps({ projectId, overview, done, onHide }: StepsProps) {
  const { t } = useTranslation();
  const modal = useModal();
  const current = VISIT_STEPS.find((step) => !done[step]);
  const content: Record<VisitStep, ReactNode> = {
    bring: <BringData projectId={projectId} expected={sum(Object.values(overview.files))} />,
    see: done.bring && <SeeResults projectId={projectId} overview={overview} />,
    choose: (
      <Button onClick={() => modal.open('create-crossing-plan')} disabled={!done.see}>
        {t('crossing_plans.create')}
      </Button>
    ),
  };
  return (
    <section className={classes.visit} aria-label={t('firstVisit.title')}>
      <ol className={classes.steps}>
        {VISIT_STEPS.map((step, index) => (
          <li key={step} data-current={step === current || undefined}>
            <span className={classes.circle} data-done={done[step] || undefined} aria-hidden="true">
              {done[step] ? <IconCheck size={16} /> : index + 1}
            </span>
            <div className={classes.step}>
              <h2>
                {t(`firstVisit.${step}.title`)}
                {done[step] && <span className="hx-visually-hidden"> ({t('progress.done')})</span>}
              </h2>
              {(step === current || !done[step]) && <p>{t(`firstVisit.${step}.text`)}</p>}
              {step === current && content[step]}
            </div>
          </li>
        ))}
      </ol>
      <aside className={classes.beside}>
        <InviteColleague projectId={projectId} />
        <Button variant="subtle" size="compact-sm" color="gray" onClick={onHide}>
          {t('firstVisit.hide')}
        </Button>
      </aside>
    </section>
  );
}
