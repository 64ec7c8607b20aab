import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import { requestOfRun } from '@heterosis/contracts/work/run-request';
import { createTrialAnalysisBody, type TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { runLink } from '../../../lib/browser/run-kinds.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { againName } from '../../../lib/format/again-name.ts';
import { useRunsChanged } from '../runs/index.ts';
import { trialAnalysisRuns } from './trial-analyses.api.ts';
import classes from './trial-analyses.module.css';
import { type TrialChanges, withChanges } from './use-trial-changes.ts';

/** What was changed on the page, and the run that takes it over; nothing as long as nothing was. */
export function TrialChangesBar(props: { projectId: string; run: TrialAnalysisDetail; changes: TrialChanges }) {
  const { projectId, run, changes } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const textOf = useOptionText('trial_analyses', TRIAL_ANALYSIS_OPTIONS);
  const runAgain = useMutation({
    mutationFn: () => {
      const { body } = requestOfRun(createTrialAnalysisBody, run, againName(run.name, t));
      return call(trialAnalysisRuns.endpoints.createRun, {
        project_id: projectId,
        // What the server has stored of a run is a request that it took.
        body: withChanges(body, changes) as z.input<typeof createTrialAnalysisBody>,
      });
    },
    onSuccess: useRunsChanged(projectId, 'trial_analysis'),
  });
  if (changes.count === 0) return null;
  const { overrides, set_aside: aside } = changes;
  const said = [
    ...overrides.map(
      ({ environment, trait, model }) => `${environment}, ${trait}: ${textOf('model', 'labels', model)}`,
    ),
    ...(aside.length === 0 ? [] : [t('trial_analyses.plotsAside', { count: aside.length })]),
  ].join(' · ');
  return (
    <>
      {runAgain.error && <ErrorNotice error={runAgain.error} />}
      <section className={classes.changes} aria-label={t('trial_analyses.changes')}>
        <p>
          <strong>{t('trial_analyses.changes')}</strong> {said}
        </p>
        <Button size="xs" variant="default" disabled={runAgain.isPending} onClick={changes.forget}>
          {t('trial_analyses.forgetChanges')}
        </Button>
        <Button
          size="xs"
          loading={runAgain.isPending}
          onClick={() =>
            runAgain.mutate(undefined, {
              onSuccess: ({ id }) => {
                changes.forget();
                void navigate(runLink('trial_analysis', projectId, id) as Parameters<typeof navigate>[0]);
              },
            })
          }
        >
          {t('trial_analyses.runChanged')}
        </Button>
      </section>
    </>
  );
}
