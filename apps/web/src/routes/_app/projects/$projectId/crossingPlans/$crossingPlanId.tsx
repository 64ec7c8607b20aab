import { createFileRoute } from '@tanstack/react-router';
import { CrossingPlanDetailPage } from '../../../../../features/work/crossing-plans/crossing-plan-detail-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/crossingPlans/$crossingPlanId')({
  component: CrossingPlanDetailPageRoute,
});

function CrossingPlanDetailPageRoute() {
  return <CrossingPlanDetailPage {...Route.useParams()} />;
}
