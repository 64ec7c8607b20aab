import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { PageLoading } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { session, useSession } from '../../../lib/session/browser-session.ts';
import { signInByInvitation } from './auth.api.ts';
import classes from './invitation-page.module.css';
import { SecondFactorStep, secondFactorToken } from './second-factor-step.tsx';

/** A code works once, and React may run an effect twice: each code is used once in this page. */
const uses = new Map<string, Promise<void>>();

function consumeOnce(code: string): Promise<void> {
  const use = uses.get(code) ?? signInByInvitation(code);
  uses.set(code, use);
  return use;
}

/**
 * Where the mail of an invitation leads: signs its addressee in and goes on to the invitations, or to the set-up of a
 * new account. Whom the code belongs to is known only once it is used, so it asks first while anybody is signed in.
 */
export function InvitationPage({ code }: { code: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = useSession();
  // A guest of the demo has nothing to be signed out of.
  const [before] = useState(() =>
    state.status === 'signed-in' && state.guestOf === undefined ? state.user : undefined,
  );
  const [isWanted, setWanted] = useState(before === undefined);
  const [problem, setProblem] = useState<Problem>();

  const goOn = useCallback(async () => {
    const now = session.getState();
    const isNew = now.status === 'signed-in' && now.user.displayName === null;
    await navigate(
      isNew ? { to: '/setup', replace: true } : { to: '/projects', search: { modal: 'invitation-box' }, replace: true },
    );
  }, [navigate]);

  useEffect(() => {
    if (code === undefined || !isWanted) return;
    consumeOnce(code)
      .then(goOn)
      .catch((error: unknown) => setProblem(asProblem(error)));
  }, [code, isWanted, goOn]);

  if (code !== undefined && !problem && isWanted) return <PageLoading />;
  const isSignedIn = state.status === 'signed-in';
  const factorToken = secondFactorToken(problem);
  return (
    <Page title={t('invitation.pageTitle')} width="form">
      {factorToken !== undefined && <SecondFactorStep token={factorToken} onSignedIn={goOn} />}
      {problem && factorToken === undefined && <ErrorNotice error={problem} />}
      {!problem && code === undefined && <p>{t('invitation.linkMissing')}</p>}
      {isSignedIn && <p>{t('word.youAreSignedInAs', { email: state.user.email })}</p>}
      {isSignedIn && code !== undefined && !problem && <p>{t('invitation.otherPerson')}</p>}
      <div className={classes.choices}>
        {isSignedIn ? (
          <Button
            renderRoot={(props) => <Link to="/projects" search={{ modal: 'invitation-box' }} {...props} />}
            variant="default"
          >
            {t('invitation.openMine')}
          </Button>
        ) : (
          <Link to="/" className="hx-link">
            {t('signIn.newLink')}
          </Link>
        )}
        {isSignedIn && code !== undefined && !problem && (
          <Button onClick={() => setWanted(true)}>{t('invitation.useLink')}</Button>
        )}
      </div>
    </Page>
  );
}
