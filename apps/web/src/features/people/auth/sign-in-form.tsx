import { toQueryString } from '@heterosis/contracts/endpoint-request';
import { Button, Radio, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SubmitButton } from '../../../components/form/submit-button.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { configQuery } from '../../../lib/api/config-query.ts';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { safeReturnTo } from '../../../lib/browser/search-params.ts';
import { session, useSession } from '../../../lib/session/browser-session.ts';
import type { Persistence } from '../../../lib/session/session.ts';
import { checkEmail, requestSignInLink } from './auth.api.ts';
import { rememberEmail } from './pending-email.ts';
import classes from './sign-in-form.module.css';

/** Mails a sign-in link. An unknown address leads to the dialog that offers to register it. */
export function SignInForm({ onSent }: { onSent?: () => void }) {
  const { t } = useTranslation();
  const modal = useModal();
  const { returnTo } = useSearch({ strict: false });
  const [email, setEmail] = useState('');
  const [fieldError, setFieldError] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const [isPending, setPending] = useState(false);
  const [persistence, setPersistence] = useState<Persistence>(() => session.getPersistence());

  const state = useSession();
  const { data: config } = useQuery(configQuery());
  const hasEnded = state.status === 'signed-out' && state.because === 'expired';
  // Until it is known the form is there: nearly everybody uses it.
  const mailsLinks = config === undefined || config.sign_in.email_link || config.sign_in.firebase !== null;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    setProblem(undefined);
    setFieldError(undefined);
    setPending(true);
    try {
      const address = await checkEmail(email);
      if (address === undefined) {
        setFieldError(t('signIn.firebase.invalid-email'));
        return;
      }
      rememberEmail(address);
      session.setPersistence(persistence);
      await requestSignInLink(address, safeReturnTo(returnTo));
      onSent?.();
      modal.open('confirm-send-email');
    } catch (error) {
      const failure = asProblem(error);
      if (failure.code === 'auth/user-not-found') {
        onSent?.();
        modal.open('not-exist-user');
      } else setProblem(failure);
    } finally {
      setPending(false);
    }
  };

  return (
    // Our own check and message instead of the browser's bubble.
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      {returnTo !== undefined && <Notice>{t(hasEnded ? 'signIn.sessionEnded' : 'signIn.toGoOn')}</Notice>}
      {mailsLinks && (
        <div className={classes.line}>
          <TextInput
            type="email"
            name="email"
            autoComplete="email"
            label={t('signIn.email')}
            className={classes.email ?? ''}
            value={email}
            error={fieldError}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              setFieldError(undefined);
            }}
          />
          <SubmitButton isPending={isPending} className={classes.button}>
            {t('signIn.send')}
          </SubmitButton>
        </div>
      )}
      <details className={classes.more}>
        <summary>{t('signIn.more')}</summary>
        <Radio.Group
          size="xs"
          label={t('signIn.staySignedIn')}
          value={persistence}
          onChange={(value) => setPersistence(value as Persistence)}
        >
          {(['local', 'session', 'none'] as const).map((one) => (
            <Radio key={one} mt={6} size="xs" value={one} label={t(`signIn.persistence.${one}`)} />
          ))}
        </Radio.Group>
      </details>
      {problem && <ErrorNotice error={problem} />}
      <ProviderButton
        returnTo={safeReturnTo(returnTo)}
        isOnlyWay={!mailsLinks}
        onLeave={() => session.setPersistence(persistence)}
      />
    </form>
  );
}

interface ProviderButtonProps {
  returnTo: string | undefined;
  /** No links are mailed here. */
  isOnlyWay: boolean;
  onLeave: () => void;
}

/** Leads to the OpenID Connect provider of this installation, where it has one. */
function ProviderButton({ returnTo, isOnlyWay, onLeave }: ProviderButtonProps) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery());
  const provider = config?.sign_in.oidc;
  if (!provider) return null;
  return (
    <div className={classes.provider}>
      {!isOnlyWay && <span className="hx-muted">{t('word.or')}</span>}
      <Button
        component="a"
        variant={isOnlyWay ? 'filled' : 'default'}
        href={`/api/auth/oidc/start${toQueryString({ return_to: returnTo })}`}
        onClick={onLeave}
      >
        {t('signIn.withProvider', { name: provider.name })}
      </Button>
    </div>
  );
}
