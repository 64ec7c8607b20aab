import { createFileRoute } from '@tanstack/react-router';
import { HelpPage } from '../../../features/help/help-page.tsx';

export const Route = createFileRoute('/_app/help/$page')({ staticData: { isPublic: true }, component: HelpRoute });

function HelpRoute() {
  const { page } = Route.useParams();
  return <HelpPage slug={page} />;
}
