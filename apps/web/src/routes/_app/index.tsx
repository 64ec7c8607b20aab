import { createFileRoute, redirect } from '@tanstack/react-router';
import { HomePage } from '../../features/auth/home-page.tsx';
import { session } from '../../lib/browser-session.ts';
import { safeReturnTo, textParams } from '../../lib/search-params.ts';

const search = textParams('returnTo');

export const Route = createFileRoute('/_app/')({
  staticData: { isPublic: true },
  validateSearch: search,
  beforeLoad: ({ search }) => {
    if (session.getState().status !== 'signed-in') return;
    throw redirect({ href: safeReturnTo(search.returnTo) ?? '/projects', replace: true });
  },
  component: HomePage,
});
