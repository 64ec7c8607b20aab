import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_app/help/')({
  staticData: { isPublic: true },
  beforeLoad: () => {
    throw redirect({ to: '/help/$page', params: { page: 'first-project' }, replace: true });
  },
});
