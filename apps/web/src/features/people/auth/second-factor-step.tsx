import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeInput } from '../../../components/form/code-input.tsx';
import formClasses from '../../../components/form/form.module.css';
import { SubmitButton } from '../../../components/form/submit-button.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { session } from '../../../lib/session/browser-session.ts';

/** The token with which a sign-in goes on, when its first step was answered with the demand for a second factor. */
export const secondFactorToken = (problem: Problem | undefined): string | undefined => {
  const token =
    problem?.code === 'auth/multi-factor-auth-required' ? problem.details['second_factor_token'] : undefined;
  return typeof token === 'string' ? token : undefined;
};

/** Asks for the code of the authenticator app, the second step of a sign-in. */
export function SecondFactorStep({ token, onSignedIn }: { token: string; onSignedIn: () => Promise<void> }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isPending || code.trim() === '') return;
    setPending(true);
    setProblem(undefined);
    try {
      await session.signIn({ grant_type: 'second_factor', token, code });
      await onSignedIn();
    } catch (error) {
      setProblem(asProblem(error));
      setPending(false);
    }
  };
  return (
    <form className={formClasses.form} onSubmit={(event) => void submit(event)} noValidate>
      <p style={{ margin: 0 }}>{t('secondFactor.atSignIn')}</p>
      <CodeInput
        label={t('secondFactor.code')}
        description={t('secondFactor.codeHint')}
        value={code}
        onChange={setCode}
      />
      {problem && <ErrorNotice error={problem} />}
      <div>
        <SubmitButton isPending={isPending}>{t('word.signIn')}</SubmitButton>
      </div>
    </form>
  );
}
