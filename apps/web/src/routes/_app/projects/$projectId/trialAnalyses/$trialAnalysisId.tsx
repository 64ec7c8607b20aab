import { createFileRoute } from '@tanstack/react-router';
import { RunPage } from '../../../../../features/work/runs/index.ts';
import { TRIAL_ANALYSIS_VIEW } from '../../../../../features/work/trial-analyses/trial-analyses.view.tsx';
import { TrialResults } from '../../../../../features/work/trial-analyses/trial-results.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/trialAnalyses/$trialAnalysisId')({
  // Trait, trial and line that are looked at.
  validateSearch: textParams('trait', 'environment', 'line'),
  component: TrialAnalysisDetailPageRoute,
});

function TrialAnalysisDetailPageRoute() {
  const { projectId, trialAnalysisId } = Route.useParams();
  return <RunPage view={TRIAL_ANALYSIS_VIEW} Results={TrialResults} projectId={projectId} id={trialAnalysisId} />;
}
