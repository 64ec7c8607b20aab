import type { OrganizationRight, ProjectRight } from '@heterosis/contracts/people/rights';
import { createRouter } from '@tanstack/react-router';
import { PageLoading } from './components/page/loading.tsx';
import { PageError, PageNotFound } from './features/shell/page-error.tsx';
import { parseSearch, stringifySearch } from './lib/browser/search-params.ts';
import { routeTree } from './routeTree.gen.ts';

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // TanStack Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** Open to visitors who are not signed in. */
    isPublic?: boolean;
    /** The header hides the user's controls: the set-up page. */
    hidesUserControls?: boolean;
    /** A page of an organization or a project for those who have this right in it. */
    right?: OrganizationRight | ProjectRight;
  }
}
