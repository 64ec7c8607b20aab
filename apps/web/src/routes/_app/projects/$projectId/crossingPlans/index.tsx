import { createFileRoute } from '@tanstack/react-router';
import { CrossingPlansPage } from '../../../../../features/work/crossing-plans/crossing-plans-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/crossingPlans/')({
  component: CrossingPlansPageRoute,
});

function CrossingPlansPageRoute() {
  return <CrossingPlansPage {...Route.useParams()} />;
}
