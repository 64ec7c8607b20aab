import { createFileRoute } from '@tanstack/react-router';
import { ConnectPage } from '../../../features/people/accounts/connect-page.tsx';

/** Where an app leads that asks for access. */
export const Route = createFileRoute('/_app/connect/$uid')({
  staticData: { hidesUserControls: true },
  component: ConnectRoute,
});

function ConnectRoute() {
  const { uid } = Route.useParams();
  return <ConnectPage uid={uid} />;
}
