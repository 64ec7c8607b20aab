import { createFileRoute } from '@tanstack/react-router';
import { StoragePage } from '../../../../../features/data/files/storage-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/storage/')({ component: StoragePageRoute });

function StoragePageRoute() {
  return <StoragePage {...Route.useParams()} />;
}
