import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod';
import { SignInPage } from '../../features/auth/sign-in-page.tsx';

const text = z.string().optional().catch(undefined);

/** Where the mailed link leads. */
export const Route = createFileRoute('/_app/signin')({
  staticData: { isPublic: true, hidesUserControls: true },
  validateSearch: z.object({ code: text, returnTo: text }),
  component: SignInRoute,
});

function SignInRoute() {
  const { code, returnTo } = Route.useSearch();
  return <SignInPage code={code} returnTo={returnTo} />;
}
