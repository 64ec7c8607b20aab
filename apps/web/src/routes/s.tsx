import { createFileRoute, useLocation } from '@tanstack/react-router';
import { SharedPage } from '../features/people/share-links/shared-page.tsx';

/** What a share link shows. It stands outside the frame of those who are signed in; the secret follows the `#`. */
export const Route = createFileRoute('/s')({ component: SharedRoute });

function SharedRoute() {
  const token = useLocation({ select: ({ hash }) => hash });
  return <SharedPage key={token} token={token} />;
}
