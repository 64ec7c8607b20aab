import { createFileRoute } from '@tanstack/react-router';
import { GWAS_VIEW } from '../../../../../features/work/gwas/gwas.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/gwas/')({ component: GwasListPageRoute });

function GwasListPageRoute() {
  return <RunListPage view={GWAS_VIEW} projectId={Route.useParams().projectId} />;
}
