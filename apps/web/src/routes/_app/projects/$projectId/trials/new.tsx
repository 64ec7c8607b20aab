import { createFileRoute } from '@tanstack/react-router';
import { NewTrialPage } from '../../../../../features/data/trials/new-trial/new-trial-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/trials/new')({ component: NewTrialRoute });

function NewTrialRoute() {
  return <NewTrialPage {...Route.useParams()} />;
}
