import { createFileRoute } from '@tanstack/react-router';
import { ModelResults } from '../../../../../features/work/models/model-results.tsx';
import { MODEL_VIEW } from '../../../../../features/work/models/models.view.tsx';
import { RunPage } from '../../../../../features/work/runs/index.ts';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/models/$modelId')({
  // The trait that is looked at.
  validateSearch: textParams('trait'),
  component: ModelDetailPageRoute,
});

function ModelDetailPageRoute() {
  const { projectId, modelId } = Route.useParams();
  return <RunPage view={MODEL_VIEW} Results={ModelResults} projectId={projectId} id={modelId} />;
}
