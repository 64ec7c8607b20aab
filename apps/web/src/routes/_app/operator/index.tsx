import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_app/operator/')({
  beforeLoad: () => {
    throw redirect({ to: '/operator/registrations', replace: true });
  },
});
