import { createFileRoute } from '@tanstack/react-router';
import { DecisionPage } from '../../../../../features/work/decisions/decision-page.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/decisions/$decisionId')({
  // The line beside the table, by its number; which lines are shown; large type for a projector.
  validateSearch: textParams('line', 'shown', 'large'),
  component: DecisionRoute,
});

function DecisionRoute() {
  return <DecisionPage {...Route.useParams()} />;
}
