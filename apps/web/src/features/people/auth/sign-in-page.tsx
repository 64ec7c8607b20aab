import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { PageLoading } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { safeReturnTo } from '../../../lib/browser/search-params.ts';
import { onAddressToken, takeAddressToken } from '../../../lib/session/address-token.ts';
import { session, useSession } from '../../../lib/session/browser-session.ts';
import { organizationsQuery } from '../organizations/index.ts';
import { requestProvenAccount, signInByCustomToken, signInByFirebaseLink } from './auth.api.ts';
import { rememberedEmail } from './pending-email.ts';
import { SecondFactorStep, secondFactorToken } from './second-factor-step.tsx';

/** A code works once, and React may run an effect twice: each proof is exchanged once in this page. */
const exchanges = new Map<string, Promise<void>>();

function exchangeOnce(proof: string, exchange: () => Promise<void>): Promise<void> {
  const known = exchanges.get(proof);
  if (known) return known;
  const exchanged = exchange();
  exchanges.set(proof, exchanged);
  return exchanged;
}

interface SignInPageProps {
  code: string | undefined;
  returnTo: string | undefined;
  /** The `auth/…` code with which a sign-in service led back. */
  failure: string | undefined;
  /** With which an account can be asked for: the sign-in service has verified an address that has none here. */
  provenAddress: string | undefined;
  /** Firebase Authentication has mailed the link. */
  isFirebaseLink: boolean;
}

/**
 * Where mailed links and sign-in services lead: exchanges what they brought and goes on to the wanted page, or to the
 * set-up without an organization.
 */
export function SignInPage({ code, returnTo, failure, provenAddress, isFirebaseLink }: SignInPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = useSession();
  const [token, setToken] = useState(takeAddressToken);
  const [email, setEmail] = useState(isFirebaseLink ? rememberedEmail() : '');
  const [problem, setProblem] = useState<Problem>();

  const goOn = useCallback(async () => {
    const organizations = await queryClient.ensureQueryData(organizationsQuery());
    const target = safeReturnTo(returnTo) ?? (organizations.length === 0 ? '/setup' : '/projects');
    await navigate({ href: target, replace: true });
  }, [navigate, returnTo]);

  useEffect(() => onAddressToken(() => setToken(takeAddressToken())), []);
  useEffect(() => {
    const exchange =
      token !== undefined
        ? exchangeOnce(token, () => signInByCustomToken(token))
        : code !== undefined
          ? exchangeOnce(code, () => session.signIn({ grant_type: 'email_link', code }))
          : isFirebaseLink && email !== ''
            ? exchangeOnce(window.location.href, () => signInByFirebaseLink(email, window.location.href))
            : undefined;
    exchange?.then(goOn).catch((error: unknown) => setProblem(asProblem(error)));
  }, [token, code, isFirebaseLink, email, goOn]);

  const isExchanging = token !== undefined || code !== undefined || (isFirebaseLink && email !== '');
  if (isExchanging && !problem) return <PageLoading title={t('signIn.exchanging')} />;
  const factorToken = secondFactorToken(problem);
  const proof = textOf(problem?.details['proof']) ?? (problem ? undefined : provenAddress);
  return (
    <Page title={t('word.signIn')} width="form">
      {factorToken !== undefined && <SecondFactorStep token={factorToken} onSignedIn={goOn} />}
      {problem && factorToken === undefined && <ErrorNotice error={problem} />}
      {!problem && failure !== undefined && <Failure code={failure} />}
      {proof !== undefined && <RequestAccount proof={proof} />}
      {!problem && failure === undefined && isFirebaseLink && <AskForEmail onEmail={setEmail} />}
      {!problem && failure === undefined && !isFirebaseLink && <p>{t('signIn.linkMissing')}</p>}
      {state.status === 'signed-in' && (
        <p>
          {t('word.youAreSignedInAs', { email: state.user.email })}{' '}
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

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const FAILURES = [
  'user-not-found',
  'registration-pending',
  'user-disabled',
  'user-cancelled',
  'timeout',
  'network-request-failed',
  'account-exists-with-different-credential',
  'operation-not-allowed',
  'internal-error',
] as const;

function Failure({ code }: { code: string }) {
  const { t } = useTranslation();
  const known = FAILURES.find((one) => code === `auth/${one}`);
  return <Notice kind="warning">{known === undefined ? t('signIn.failed') : t(`signIn.failures.${known}`)}</Notice>;
}

/** The way on for whom the sign-in service knows and this installation does not: one button. */
function RequestAccount({ proof }: { proof: string }) {
  const { t } = useTranslation();
  const modal = useModal();
  const request = useMutation({
    mutationFn: () => requestProvenAccount(proof),
    onSuccess: () => modal.open('sent-message'),
  });
  return (
    <>
      {request.error && <ErrorNotice error={request.error} />}
      <div>
        <Button loading={request.isPending} disabled={request.isSuccess} onClick={() => request.mutate()}>
          {t('signIn.requestAccount')}
        </Button>
      </div>
    </>
  );
}

/** The link was opened in another browser than the one that asked for it. */
function AskForEmail({ onEmail }: { onEmail: (email: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onEmail(typed.trim());
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        type="email"
        autoComplete="email"
        label={t('signIn.yourEmail')}
        value={typed}
        maw={360}
        mb="sm"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" disabled={typed.trim() === ''}>
        {t('word.signIn')}
      </Button>
    </form>
  );
}
