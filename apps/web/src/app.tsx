import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorNotice } from './components/page/error-notice.tsx';
import { PageLoading } from './components/page/loading.tsx';
import { queryClient } from './lib/api/query-client.ts';
import { forgetKept } from './lib/offline/offline.ts';
import { guestProject, session, useSession } from './lib/session/browser-session.ts';
import { router } from './router.ts';
import { theme } from './theme.ts';

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Pages />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** While the server is away when the page is opened. */
const TRY_AGAIN_MS = 5_000;

/** Nothing but a loading indicator until it is known who is signed in. */
function Pages() {
  const state = useSession();
  const userId = state.status === 'signed-in' ? state.user.uid : undefined;
  const isGuest = guestProject(state) !== undefined;

  useEffect(() => {
    if (userId === undefined) return undefined;
    const controller = new AbortController();
    // The stream is not needed to show the first page, and a guest of the demo has none: nothing changes there.
    if (!isGuest)
      void import('./lib/events/events.ts').then(({ followEvents }) => {
        if (controller.signal.aborted) return;
        controller.signal.addEventListener('abort', followEvents(queryClient, userId));
      });
    return () => {
      controller.abort();
      // What one person has seen must not be there for the next.
      queryClient.clear();
      void forgetKept();
    };
  }, [userId, isGuest]);

  useEffect(() => {
    if (state.status === 'signed-in' || state.status === 'signed-out') void router.invalidate();
  }, [state.status, userId]);

  const isUnreachable = state.status === 'unreachable';
  useEffect(() => {
    if (!isUnreachable) return undefined;
    const timer = setInterval(() => void session.start(), TRY_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isUnreachable]);

  if (state.status === 'unknown') return <PageLoading />;
  if (state.status === 'unreachable') {
    return (
      <main className="hx-boot">
        <ErrorNotice error={state.problem} onRetry={() => void session.start()} />
      </main>
    );
  }
  return <RouterProvider router={router} />;
}
