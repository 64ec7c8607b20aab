import { createFileRoute } from '@tanstack/react-router';
import { ReviewPage } from '../../../../../features/data/germplasm/review/review-page.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/germplasm/uploads/$uploadId')({
  staticData: { right: 'see_germplasm' },
  component: ReviewPageRoute,
});

function ReviewPageRoute() {
  const { organizationId, uploadId } = Route.useParams();
  return <ReviewPage place={{ kind: 'organization', id: organizationId }} uploadId={uploadId} />;
}
