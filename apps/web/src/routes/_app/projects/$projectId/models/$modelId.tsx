import { createFileRoute } from '@tanstack/react-router';
import { ModelDetailPage } from '../../../../../features/models/model-detail-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/models/$modelId')({ component: ModelDetailPageRoute });

function ModelDetailPageRoute() {
  return <ModelDetailPage {...Route.useParams()} />;
}
