import { createFileRoute } from '@tanstack/react-router';
import { GWAS_VIEW } from '../../../../../features/work/gwas/gwas.view.tsx';
import { RunListPage } from '../../../../../features/work/runs/index.ts';
import { readAhead } from '../../../../../lib/api/read-ahead.ts';

export const Route = createFileRoute('/_app/projects/$projectId/gwas/')({
  loader: ({ params }) => readAhead(GWAS_VIEW.list(params.projectId)),
  component: GwasListPageRoute,
});

function GwasListPageRoute() {
  return <RunListPage view={GWAS_VIEW} projectId={Route.useParams().projectId} />;
}
