import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import { Button } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsGuest } from '../../../../lib/session/browser-session.ts';
import { useMayWrite } from '../use-project-rights.ts';
import { type NextStep, nextStep } from './next-step.ts';
import classes from './project-overview-page.module.css';

/** Where each step is taken; the modal opens with the page. */
const TARGETS: Record<Exclude<NextStep, 'none'>, { to: LinkProps['to']; modal: string }> = {
  'upload-genotype': { to: '/projects/$projectId/storage', modal: 'upload-files' },
  'upload-phenotype': { to: '/projects/$projectId/storage', modal: 'upload-files' },
  'train-model': { to: '/projects/$projectId/models', modal: 'create-model' },
  'run-gwas': { to: '/projects/$projectId/gwas', modal: 'create-gwas' },
  'simulate-crosses': { to: '/projects/$projectId/crossingSimulation', modal: 'create-crossing-simulation' },
  'add-candidates': { to: '/projects/$projectId/storage', modal: 'upload-files' },
  'add-trials': { to: '/projects/$projectId/storage', modal: 'upload-files' },
  predict: { to: '/projects/$projectId/predictions', modal: 'create-prediction' },
};

export function NextStepCard({ projectId, overview }: { projectId: string; overview: ProjectOverview }) {
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  // The next step of a guest of the demo is the tour.
  const isGuest = useIsGuest();
  const step = nextStep(overview);
  if (step === 'none' || !mayWrite || isGuest) return null;
  const { to, modal } = TARGETS[step];
  return (
    <div className={classes.next}>
      <div>
        <p className={classes.nextTitle}>{t(`nextStep.${step}.title`)}</p>
        <p className="hx-muted">{t(`nextStep.${step}.text`)}</p>
      </div>
      <Button
        renderRoot={(props) => <Link {...({ to, params: { projectId }, search: { modal } } as LinkProps)} {...props} />}
      >
        {t(`nextStep.${step}.action`)}
      </Button>
    </div>
  );
}
