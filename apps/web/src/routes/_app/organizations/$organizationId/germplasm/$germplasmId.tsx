import { createFileRoute } from '@tanstack/react-router';
import { GermplasmDetailPage } from '../../../../../features/data/germplasm/germplasm-detail-page.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/germplasm/$germplasmId')({
  staticData: { right: 'see_germplasm' },
  component: GermplasmDetailPageRoute,
});

function GermplasmDetailPageRoute() {
  const { organizationId, germplasmId } = Route.useParams();
  return <GermplasmDetailPage place={{ kind: 'organization', id: organizationId }} germplasmId={germplasmId} />;
}
