import { createFileRoute } from '@tanstack/react-router';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { TRIAL_ANALYSIS_VIEW } from '../../../../../features/work/trial-analyses/trial-analyses.view.tsx';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/trialAnalyses/')({
  loader: ({ params }) => readAhead(TRIAL_ANALYSIS_VIEW.list(params.projectId)),
  component: TrialAnalysisListPageRoute,
});

function TrialAnalysisListPageRoute() {
  return <RunListPage view={TRIAL_ANALYSIS_VIEW} projectId={Route.useParams().projectId} />;
}
