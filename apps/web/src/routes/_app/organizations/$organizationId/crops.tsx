import { createFileRoute } from '@tanstack/react-router';
import { CropsPage } from '../../../../features/people/crops/crops-page.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/crops')({ component: CropsPageRoute });

function CropsPageRoute() {
  return <CropsPage {...Route.useParams()} />;
}
