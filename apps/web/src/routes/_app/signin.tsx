import { createFileRoute } from '@tanstack/react-router';
import { SignInPage } from '../../features/auth/sign-in-page.tsx';
import { textParams } from '../../lib/search-params.ts';

const search = textParams('code', 'returnTo');

/** Where the mailed link leads. */
export const Route = createFileRoute('/_app/signin')({
  staticData: { isPublic: true, hidesUserControls: true },
  validateSearch: search,
  component: SignInRoute,
});

function SignInRoute() {
  const { code, returnTo } = Route.useSearch();
  return <SignInPage code={code} returnTo={returnTo} />;
}
