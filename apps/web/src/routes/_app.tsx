import { createFileRoute, redirect } from '@tanstack/react-router';
import { AppShell } from '../features/shell/app-shell.tsx';
import { loadSignedInParts } from '../features/shell/signed-in-parts.ts';
import { guestProject, session } from '../lib/session/browser-session.ts';

/** A page that is not public sends visitors to the home page, with the wanted page in `returnTo`. */
export const Route = createFileRoute('/_app')({
  beforeLoad: ({ matches, location }) => {
    const state = session.getState();
    const demo = guestProject(state);
    if (demo !== undefined && !matches.some(({ params, staticData }) => 'projectId' in params || staticData.isPublic))
      throw redirect({
        to: '/projects/$projectId',
        params: { projectId: demo },
        search: location.search,
        replace: true,
      });
    if (state.status === 'signed-in') {
      // Not awaited: the frame does not wait for them.
      void loadSignedInParts();
      return;
    }
    if (matches.some((match) => match.staticData.isPublic)) return;
    const hasLeft = state.status === 'signed-out' && state.because === 'signed-out';
    throw redirect({ to: '/', search: hasLeft ? {} : { returnTo: location.href }, replace: true });
  },
  component: AppShell,
});
