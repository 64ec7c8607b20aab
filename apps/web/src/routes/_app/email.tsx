import { createFileRoute } from '@tanstack/react-router';
import { EmailPage } from '../../features/people/accounts/email-page.tsx';
import { textParams } from '../../lib/browser/search-params.ts';

/** Where the link for a new e-mail address leads. */
export const Route = createFileRoute('/_app/email')({
  staticData: { isPublic: true },
  validateSearch: textParams('code'),
  component: EmailRoute,
});

function EmailRoute() {
  const { code } = Route.useSearch();
  return <EmailPage code={code} />;
}
