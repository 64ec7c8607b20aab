import { createFileRoute } from '@tanstack/react-router';
import { GermplasmPage } from '../../../../../features/data/germplasm/germplasm-page.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/germplasm/')({
  // A line that was just deleted, and the change to undo.
  validateSearch: textParams('gone', 'undo'),
  component: GermplasmPageRoute,
});

function GermplasmPageRoute() {
  const { projectId } = Route.useParams();
  const { gone, undo } = Route.useSearch();
  return (
    <GermplasmPage
      place={{ kind: 'project', id: projectId }}
      gone={gone === undefined || undo === undefined ? undefined : { name: gone, changeId: undo }}
    />
  );
}
