import { createFileRoute } from '@tanstack/react-router';
import { ListsPage } from '../../../../features/data/lists/lists-page.tsx';
import { textParams } from '../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/lists')({
  validateSearch: textParams('list'),
  component: ListsPageRoute,
});

function ListsPageRoute() {
  return <ListsPage {...Route.useParams()} />;
}
