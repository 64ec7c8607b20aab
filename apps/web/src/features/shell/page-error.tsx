import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { asProblem } from '../../lib/problem.ts';
import { PageNotFound } from './page-not-found.tsx';

/** Instead of a page whose loading or drawing failed; the frame around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  if (asProblem(error).status === 404) return <PageNotFound />;
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title={t('error.pageTitle')} width="text">
      <ErrorNotice error={error} onRetry={retry} />
    </Page>
  );
}
