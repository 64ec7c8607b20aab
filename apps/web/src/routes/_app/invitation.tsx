import { createFileRoute } from '@tanstack/react-router';
import { InvitationPage } from '../../features/people/auth/invitation-page.tsx';
import { textParams } from '../../lib/browser/search-params.ts';

const search = textParams('code');

/** Where the mail of an invitation leads. */
export const Route = createFileRoute('/_app/invitation')({
  staticData: { isPublic: true, hidesUserControls: true },
  validateSearch: search,
  component: InvitationRoute,
});

function InvitationRoute() {
  return <InvitationPage code={Route.useSearch().code} />;
}
