import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageLoading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { session, useSession } from '../../lib/browser-session.ts';
import { asProblem, type Problem } from '../../lib/problem.ts';
import { queryClient } from '../../lib/query-client.ts';
import { safeReturnTo } from '../../lib/search-params.ts';
import { organizationsQuery } from '../organizations/index.ts';

/** A code works once, and React may run an effect twice: each code is exchanged once in this page. */
const exchanges = new Map<string, Promise<void>>();

function exchangeOnce(code: string): Promise<void> {
  const known = exchanges.get(code);
  if (known) return known;
  const exchange = session.signIn({ grant_type: 'email_link', code });
  exchanges.set(code, exchange);
  return exchange;
}

/**
 * Where the mailed link leads: exchanges its code and goes on to the wanted page, or to the set-up without an
 * organization.
 */
export function SignInPage({ code, returnTo }: { code: string | undefined; returnTo: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = useSession();
  const [problem, setProblem] = useState<Problem>();

  useEffect(() => {
    if (code === undefined) return;
    exchangeOnce(code)
      .then(async () => {
        const organizations = await queryClient.ensureQueryData(organizationsQuery());
        const target = safeReturnTo(returnTo) ?? (organizations.length === 0 ? '/setup' : '/projects');
        await navigate({ href: target, replace: true });
      })
      .catch((error: unknown) => setProblem(asProblem(error)));
  }, [code, returnTo, navigate]);

  if (code !== undefined && !problem) return <PageLoading />;
  return (
    <Page title={t('signIn.linkTitle')} width="text">
      {problem ? <ErrorNotice error={problem} /> : <p>{t('signIn.linkMissing')}</p>}
      {state.status === 'signed-in' && (
        <p>
          {t('signIn.already', { email: state.user.email })}{' '}
          <Link to="/projects" className="hx-link">
            {t('setup.toProjects')}
          </Link>
        </p>
      )}
      <p>
        <Link to="/" className="hx-link">
          {t('signIn.newLink')}
        </Link>
      </p>
    </Page>
  );
}
