import { createFileRoute } from '@tanstack/react-router';
import { ModelsPage } from '../../../../../features/work/models/models-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/models/')({ component: ModelsPageRoute });

function ModelsPageRoute() {
  return <ModelsPage {...Route.useParams()} />;
}
