import type { TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../lib/browser/modal.ts';
import { trialAnalysisRuns } from './trial-analyses.api.ts';

/** Where single models or plots were changed: a way to see this run beside the one of the same files before it. */
export function FormerRun({ projectId, run }: { projectId: string; run: TrialAnalysisDetail }) {
  const { t } = useTranslation();
  const modal = useModal();
  const { overrides = [], set_aside: aside = [] } = run.provenance.parameters;
  const isChanged = overrides.length + aside.length > 0;
  const runs = useQuery({ ...trialAnalysisRuns.list(projectId), enabled: isChanged }).data ?? [];
  const files = run.phenotype_ids.join(' ');
  // The list has the newest first.
  const former = runs.find(({ created_at: at, phenotype_ids: ids }) => at < run.created_at && ids.join(' ') === files);
  if (!isChanged || !former) return null;
  return (
    <p className="hx-muted">
      {t('trial_analyses.changedRun')}{' '}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => modal.open('compare-trial-analyses', `${former.id},${run.id}`)}
      >
        {t('trial_analyses.compareWith', { name: former.name })}
      </Button>
    </p>
  );
}
