import { createFileRoute } from '@tanstack/react-router';
import { GwasDetailPage } from '../../../../../features/gwas/gwas-detail-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/gwas/$gwasId')({ component: GwasDetailPageRoute });

function GwasDetailPageRoute() {
  return <GwasDetailPage {...Route.useParams()} />;
}
