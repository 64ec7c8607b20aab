import { createFileRoute } from '@tanstack/react-router';
import { NewTrialPage } from '../../../../../features/data/trials/new-trial/new-trial-page.tsx';
import { textParams } from '../../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/trials/new')({
  // A draft that is laid out anew; a list whose lines are the entries, and how often each is to stand.
  validateSearch: textParams('trial', 'list', 'replicates'),
  component: NewTrialRoute,
});

function NewTrialRoute() {
  const { trial, list, replicates } = Route.useSearch();
  return <NewTrialPage key={trial ?? list} {...Route.useParams()} trial={trial} list={list} replicates={replicates} />;
}
