import { createFileRoute } from '@tanstack/react-router';
import { CheckoutPage } from '../../../features/people/billing/checkout-page.tsx';

export const Route = createFileRoute('/_app/checkout/$checkoutId')({
  // The first step of somebody without an organization is being taken here.
  staticData: { hidesUserControls: true },
  component: CheckoutPageRoute,
});

function CheckoutPageRoute() {
  return <CheckoutPage {...Route.useParams()} />;
}
