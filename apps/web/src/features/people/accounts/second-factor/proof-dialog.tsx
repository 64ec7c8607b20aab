import { toQueryString } from '@heterosis/contracts/endpoint-request';
import type { ProofMethod } from '@heterosis/contracts/people/second-factor';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { CodeInput } from '../../../../components/form/code-input.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { configQuery } from '../../../../lib/api/config-query.ts';
import { asProblem, type Problem } from '../../../../lib/api/problem.ts';
import { useSession } from '../../../../lib/session/browser-session.ts';
import { answerProof } from '../../../../lib/session/demands.ts';
import { mailProofCode, proofQuery, proveByCode } from './second-factor.api.ts';

/** Asks for a proof before what a stolen session must not do; whatever waits for it goes on then. */
export function ProofDialog() {
  const { t } = useTranslation();
  const { data: proof, error } = useQuery(proofQuery());
  const cancel = () => answerProof(false);
  return (
    <ModalFrame title={t('proof.title')} onClose={cancel}>
      {error && <ErrorNotice error={error} />}
      {!proof && !error && <SkeletonLines />}
      {proof?.method === 'provider' && <AtProvider onCancel={cancel} />}
      {proof && proof.method !== 'provider' && <ByCode method={proof.method} />}
    </ModalFrame>
  );
}

function ByCode({ method }: { method: Exclude<ProofMethod, 'provider'> }) {
  const { t } = useTranslation();
  const state = useSession();
  const mail = useMutation({ mutationFn: mailProofCode });
  const [code, setCode] = useState('');
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setProblem(undefined);
    try {
      await proveByCode(code);
      answerProof(true);
    } catch (failure) {
      setProblem(asProblem(failure));
      setPending(false);
    }
  };
  const isMail = method === 'mail';
  const email = state.status === 'signed-in' ? state.user.email : '';
  return (
    <form className={formClasses.form} onSubmit={(event) => void submit(event)} noValidate>
      <p style={{ margin: 0 }}>{t(isMail ? 'proof.mailText' : 'proof.factorText', { email })}</p>
      {isMail && (
        <div>
          <Button variant="default" loading={mail.isPending} onClick={() => mail.mutate()} data-autofocus>
            {t(mail.isSuccess ? 'proof.mailAgain' : 'proof.mail')}
          </Button>
          {mail.isSuccess && (
            <p className="hx-muted" role="status">
              {t('proof.mailed', { email })} <OutboxHint />
            </p>
          )}
        </div>
      )}
      {mail.error && <ErrorNotice error={mail.error} />}
      {(!isMail || mail.isSuccess) && (
        <CodeInput
          label={t(isMail ? 'proof.mailCode' : 'secondFactor.code')}
          description={isMail ? undefined : t('secondFactor.codeHint')}
          value={code}
          onChange={setCode}
        />
      )}
      <FormFooter
        submitLabel={t('word.confirm')}
        isPending={isPending}
        problem={problem}
        disabledReason={code.trim() === '' ? t('secondFactor.codeNeeded') : undefined}
        onCancel={() => answerProof(false)}
      />
    </form>
  );
}

function OutboxHint() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery());
  if (!config?.outbox) return null;
  return (
    <a className="hx-link" href="/dev/outbox" target="_blank" rel="noreferrer">
      {t('word.openTheOutbox')}
    </a>
  );
}

/** Signing in at the provider leads back to this page; what was typed in the dialog below is entered again. */
function AtProvider({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery());
  const here = window.location.pathname + window.location.search;
  const name = config?.sign_in.oidc?.name ?? '';
  return (
    <div className={formClasses.form}>
      <p style={{ margin: 0 }}>{t('proof.providerText', { name })}</p>
      <div>
        <Button component="a" href={`/api/auth/oidc/start${toQueryString({ return_to: here, again: 'true' })}`}>
          {t('signIn.withProvider', { name })}
        </Button>{' '}
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
      </div>
    </div>
  );
}
