import { createFileRoute } from '@tanstack/react-router';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { TRIAL_ANALYSIS_VIEW } from '../../../../../features/work/trial-analyses/trial-analyses.view.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/trialAnalyses/')({
  component: TrialAnalysisListPageRoute,
});

function TrialAnalysisListPageRoute() {
  return <RunListPage view={TRIAL_ANALYSIS_VIEW} projectId={Route.useParams().projectId} />;
}
