import { createFileRoute } from '@tanstack/react-router';
import { ReviewPage } from '../../../../../features/data/germplasm/review/review-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/germplasm/uploads/$uploadId')({
  component: ReviewPageRoute,
});

function ReviewPageRoute() {
  const { projectId, uploadId } = Route.useParams();
  return <ReviewPage place={{ kind: 'project', id: projectId }} uploadId={uploadId} />;
}
