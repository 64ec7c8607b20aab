import { type ErrorComponentProps, lazyRouteComponent, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/page/error-notice.tsx';
import { Page } from '../../components/page/page.tsx';
import { asProblem, isWorthRetrying } from '../../lib/api/problem.ts';
import { PART_NOT_LOADED } from '../../lib/browser/page-parts.ts';
import { useConnection } from '../../lib/events/live.ts';

/** Not part of the first page. */
export const PageNotFound = lazyRouteComponent(
  () => import('../../components/page/page-not-found.tsx'),
  'PageNotFound',
);

/** Instead of a page whose loading or drawing failed; the frame around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const connection = useConnection();
  const retry = (): void => {
    // The router keeps the failure of a part of the application until all of it is loaded again.
    if (error instanceof Error && error.name === PART_NOT_LOADED) return window.location.reload();
    reset();
    void router.invalidate();
  };
  // What the lost connection has kept from being shown is asked for again as soon as it is back.
  useEffect(() => {
    if (connection === 'live' && isWorthRetrying(asProblem(error))) retry();
  }, [connection]);
  if (asProblem(error).status === 404)
    return (
      <Suspense fallback={null}>
        <PageNotFound />
      </Suspense>
    );
  return (
    <Page title={t('error.pageTitle')} width="text">
      <ErrorNotice error={error} onRetry={retry} />
    </Page>
  );
}
