import { createFileRoute } from '@tanstack/react-router';
import { PageLoading } from '../../components/page/loading.tsx';
import { AccountPage } from '../../features/people/accounts/account-page.tsx';

export const Route = createFileRoute('/_app/account')({
  // A chunk of its own: the loaders of all pages are part of the first one.
  loader: async () => (await import('../../features/people/accounts/load-account-page.ts')).loadAccountPage(),
  pendingComponent: () => <PageLoading isTall />,
  component: AccountPage,
});
