import { createFileRoute } from '@tanstack/react-router';
import { MODEL_VIEW } from '../../../../../features/work/models/models.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/models/')({
  // List or matrix.
  validateSearch: textParams('view'),
  loader: ({ params }) => readAhead(MODEL_VIEW.list(params.projectId)),
  component: ModelsPageRoute,
});

function ModelsPageRoute() {
  return <RunListPage view={MODEL_VIEW} projectId={Route.useParams().projectId} />;
}
