import { createFileRoute } from '@tanstack/react-router';
import { ModelDetailPage } from '../../../../../features/work/models/model-detail-page.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/models/$modelId')({
  // The trait that is looked at.
  validateSearch: textParams('trait'),
  component: ModelDetailPageRoute,
});

function ModelDetailPageRoute() {
  return <ModelDetailPage {...Route.useParams()} />;
}
