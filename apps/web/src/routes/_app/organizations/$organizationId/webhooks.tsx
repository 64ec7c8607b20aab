import { createFileRoute } from '@tanstack/react-router';
import { WebhooksPage } from '../../../../features/people/webhooks/webhooks-page.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/webhooks')({
  staticData: { right: 'see_webhooks' },
  component: WebhooksRoute,
});

function WebhooksRoute() {
  const { organizationId } = Route.useParams();
  return <WebhooksPage key={organizationId} organizationId={organizationId} />;
}
