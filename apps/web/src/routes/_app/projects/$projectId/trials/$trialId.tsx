import { createFileRoute } from '@tanstack/react-router';
import { TrialPage } from '../../../../../features/data/trials/trial-page.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/trials/$trialId')({
  // The chosen tab.
  validateSearch: textParams('tab'),
  component: TrialRoute,
});

function TrialRoute() {
  return <TrialPage {...Route.useParams()} />;
}
