import { createFileRoute, redirect } from '@tanstack/react-router';
import { HomePage } from '../../features/people/auth/home-page.tsx';
import { safeReturnTo, textParams } from '../../lib/browser/search-params.ts';
import { guestProject, session } from '../../lib/session/browser-session.ts';

const search = textParams('returnTo');

export const Route = createFileRoute('/_app/')({
  staticData: { isPublic: true },
  validateSearch: search,
  beforeLoad: ({ search }) => {
    // Guests of the demo come back to sign in.
    if (session.getState().status !== 'signed-in' || guestProject() !== undefined) return;
    throw redirect({ href: safeReturnTo(search.returnTo) ?? '/projects', replace: true });
  },
  component: HomePage,
});
