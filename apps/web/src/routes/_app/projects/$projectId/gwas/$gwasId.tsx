import { createFileRoute } from '@tanstack/react-router';
import { GWAS_VIEW } from '../../../../../features/work/gwas/gwas.view.tsx';
import { GwasResults } from '../../../../../features/work/gwas/gwas-results.tsx';
import { RunPage } from '../../../../../features/work/runs/index.ts';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/gwas/$gwasId')({
  // Trait, marker and part of the genome that are looked at.
  validateSearch: textParams('trait', 'marker', 'zoom', 'all'),
  component: GwasDetailPageRoute,
});

function GwasDetailPageRoute() {
  const { projectId, gwasId } = Route.useParams();
  return <RunPage view={GWAS_VIEW} Results={GwasResults} projectId={projectId} id={gwasId} />;
}
