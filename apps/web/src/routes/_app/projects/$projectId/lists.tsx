import { createFileRoute } from '@tanstack/react-router';
import { listsQuery } from '../../../../features/data/lists/lists.api.ts';
import { ListsPage } from '../../../../features/data/lists/lists-page.tsx';
import { readAhead } from '../../../../lib/api/read-ahead.ts';
import { textParams } from '../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/lists')({
  validateSearch: textParams('list'),
  loader: ({ params }) => readAhead(listsQuery(params.projectId)),
  component: ListsPageRoute,
});

function ListsPageRoute() {
  return <ListsPage {...Route.useParams()} />;
}
