import { createFileRoute } from '@tanstack/react-router';
import { MODEL_VIEW } from '../../../../../features/work/models/models.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/models/')({ component: ModelsPageRoute });

function ModelsPageRoute() {
  return <RunListPage view={MODEL_VIEW} projectId={Route.useParams().projectId} />;
}
