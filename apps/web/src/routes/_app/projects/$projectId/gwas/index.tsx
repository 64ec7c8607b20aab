import { createFileRoute } from '@tanstack/react-router';
import { GwasListPage } from '../../../../../features/work/gwas/gwas-list-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/gwas/')({ component: GwasListPageRoute });

function GwasListPageRoute() {
  return <GwasListPage {...Route.useParams()} />;
}
