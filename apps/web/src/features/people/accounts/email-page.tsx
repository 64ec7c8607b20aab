import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { PageLoading } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { session, useSession } from '../../../lib/session/browser-session.ts';
import { confirmEmailChange } from './accounts.api.ts';

/** Where the link for a new e-mail address leads. It works once, so that it is asked once. */
export function EmailPage({ code }: { code: string | undefined }) {
  const { t } = useTranslation();
  const state = useSession();
  const isSignedIn = state.status === 'signed-in';
  const { data, error, isLoading } = useQuery({
    queryKey: ['email-change', code],
    queryFn: () => confirmEmailChange(code ?? ''),
    enabled: code !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const email = data?.email;
  useEffect(() => {
    // Whoever is signed in here need not be whose address it was; a refresh brings the right one.
    if (email !== undefined) void session.renewUser();
  }, [email]);
  if (isLoading) return <PageLoading />;
  return (
    <Page title={t('word.newEMailAddress')} width="form">
      {error && <ErrorNotice error={error} />}
      {email !== undefined && <p>{t('emailChange.changed', { email })}</p>}
      {code === undefined && <p>{t('emailChange.missing')}</p>}
      <p>
        <Link to={isSignedIn ? '/account' : '/'} className="hx-link">
          {t(isSignedIn ? 'word.myAccount' : 'emailChange.home')}
        </Link>
      </p>
    </Page>
  );
}
