import { createFileRoute } from '@tanstack/react-router';
import { GermplasmPage } from '../../../../../features/data/germplasm/germplasm-page.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/organizations/$organizationId/germplasm/')({
  staticData: { right: 'see_germplasm' },
  // A line that was just deleted, and the change to undo.
  validateSearch: textParams('gone', 'undo'),
  component: GermplasmPageRoute,
});

function GermplasmPageRoute() {
  const { organizationId } = Route.useParams();
  const { gone, undo } = Route.useSearch();
  return (
    <GermplasmPage
      place={{ kind: 'organization', id: organizationId }}
      gone={gone === undefined || undo === undefined ? undefined : { name: gone, changeId: undo }}
    />
  );
}
