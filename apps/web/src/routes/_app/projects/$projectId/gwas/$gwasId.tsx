import { createFileRoute } from '@tanstack/react-router';
import { GwasDetailPage } from '../../../../../features/work/gwas/gwas-detail-page.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/gwas/$gwasId')({
  // Trait, marker and part of the genome that are looked at.
  validateSearch: textParams('trait', 'marker', 'zoom', 'all'),
  component: GwasDetailPageRoute,
});

function GwasDetailPageRoute() {
  return <GwasDetailPage {...Route.useParams()} />;
}
