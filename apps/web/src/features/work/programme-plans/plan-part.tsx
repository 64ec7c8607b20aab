import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import type { ProgrammePlan } from '@heterosis/contracts/work/programmes/programme-plans';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Section } from '../../../components/page/section.tsx';
import { formatDay } from '../../../lib/format/format.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import type { RunPartProps } from '../runs/index.ts';
import { OutcomeFigure } from './outcome-figure.tsx';
import { PlanSteps } from './plan-steps.tsx';
import { planOutcomeQuery, planQuery, usePlanMutations } from './programme-plans.api.ts';
import { StartPlanDialog } from './start-plan-dialog.tsx';

/** Whether the plan, and what came of its steps, are still being read: what stands below would move. */
export function usePlanIsLoading(projectId: string, { id, report }: ProgrammeDetail): boolean {
  const plan = useQuery({ ...planQuery(projectId, id), enabled: report !== null });
  const isStarted = plan.data?.plan != null;
  const outcome = useQuery({ ...planOutcomeQuery(projectId, id), enabled: isStarted });
  return plan.isLoading || outcome.isLoading;
}

/** The programme in the field: how to start it, and once it is started its steps by season. */
export function ProgrammePlanPart(props: RunPartProps<ProgrammeDetail>) {
  const { projectId, run } = props;
  const { t } = useTranslation();
  const isSimulated = run.report !== null;
  const { data, error, refetch } = useQuery({ ...planQuery(projectId, run.id), enabled: isSimulated });
  if (!isSimulated) return null;
  if (data?.plan) return <StartedPlan {...props} plan={data.plan} />;
  return (
    <Section title={t('programmePlans.title')} note={t('programmePlans.startNote')}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <SkeletonLines lines={1} /> : <StartPlan {...props} />}
    </Section>
  );
}

function StartPlan({ projectId, run }: RunPartProps<ProgrammeDetail>) {
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const [isOpen, setOpen] = useState(false);
  if (!mayWrite) return <p className="hx-muted">{t('programmePlans.notStarted')}</p>;
  return (
    <>
      <Button w="fit-content" onClick={() => setOpen(true)}>
        {t('programmePlans.start')}
      </Button>
      {isOpen && <StartPlanDialog projectId={projectId} run={run} close={() => setOpen(false)} />}
    </>
  );
}

function StartedPlan({ projectId, run, plan }: RunPartProps<ProgrammeDetail> & { plan: ProgrammePlan }) {
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const mutations = usePlanMutations(projectId, run.id);
  const outcome = useQuery(planOutcomeQuery(projectId, run.id));
  const [asking, setAsking] = useState<'stop' | 'move'>();
  const links = plan.steps.reduce((sum, step) => sum + step.links.length, 0);
  const cycles = Math.max(0, ...plan.steps.map(({ cycle }) => cycle));
  return (
    <Section
      title={t('programmePlans.title')}
      note={[
        t('programmePlans.startedNote', { scheme: plan.scheme, day: formatDay(plan.starts_on) }),
        ...(plan.cycles > cycles ? [t('programmePlans.aheadNote', { count: cycles, all: plan.cycles })] : []),
      ].join(' ')}
      action={
        mayWrite && (
          <Menu>
            <Menu.Target>
              <IconButton label={t('programmePlans.menu')} variant="default">
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setAsking('move')}>{t('programmePlans.move')}</Menu.Item>
              <Menu.Item className="hx-danger" onClick={() => setAsking('stop')}>
                {t('programmePlans.stop')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )
      }
    >
      {outcome.error && <ErrorNotice error={outcome.error} onRetry={() => void outcome.refetch()} />}
      <PlanSteps {...{ projectId, programmeId: run.id, run, plan, mutations, mayWrite }} outcome={outcome.data} />
      {outcome.data && <OutcomeFigure name={run.name} outcome={outcome.data} />}
      {asking === 'move' && (
        <StartPlanDialog projectId={projectId} run={run} plan={plan} close={() => setAsking(undefined)} />
      )}
      {asking === 'stop' && (
        <ConfirmDialog
          title={t('programmePlans.stopTitle')}
          confirmLabel={t('programmePlans.stop')}
          onConfirm={() => mutations.stop.mutateAsync()}
          onClose={() => setAsking(undefined)}
        >
          <p>{t('programmePlans.stopText', { count: links })}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
