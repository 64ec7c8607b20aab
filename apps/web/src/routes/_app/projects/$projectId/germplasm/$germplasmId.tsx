import { createFileRoute } from '@tanstack/react-router';
import { GermplasmDetailPage } from '../../../../../features/data/germplasm/germplasm-detail-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/germplasm/$germplasmId')({
  component: GermplasmDetailPageRoute,
});

function GermplasmDetailPageRoute() {
  const { projectId, germplasmId } = Route.useParams();
  return <GermplasmDetailPage place={{ kind: 'project', id: projectId }} germplasmId={germplasmId} />;
}
