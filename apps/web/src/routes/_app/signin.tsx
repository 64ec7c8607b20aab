import { createFileRoute } from '@tanstack/react-router';
import { SignInPage } from '../../features/people/auth/sign-in-page.tsx';
import { textParams } from '../../lib/browser/search-params.ts';

const search = textParams('code', 'returnTo', 'error', 'proof', 'oobCode');

/** Where mailed links and sign-in services lead, and custom tokens (`#token=…`). */
export const Route = createFileRoute('/_app/signin')({
  staticData: { isPublic: true, hidesUserControls: true },
  validateSearch: search,
  component: SignInRoute,
});

function SignInRoute() {
  const { code, returnTo, error, proof, oobCode } = Route.useSearch();
  return (
    <SignInPage
      code={code}
      returnTo={returnTo}
      failure={error}
      provenAddress={proof}
      isFirebaseLink={oobCode !== undefined}
    />
  );
}
