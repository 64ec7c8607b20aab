import { createFileRoute } from '@tanstack/react-router';
import { FilePage } from '../../../../../features/data/files/file-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/files/$fileId')({ component: FilePageRoute });

function FilePageRoute() {
  return <FilePage {...Route.useParams()} />;
}
