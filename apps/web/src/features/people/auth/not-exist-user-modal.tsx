import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { type ModalProps, useModal } from '../../../lib/browser/modal.ts';
import { safeReturnTo } from '../../../lib/browser/search-params.ts';
import { requestRegistration } from './auth.api.ts';
import classes from './message-modal.module.css';
import { rememberedEmail } from './pending-email.ts';

/** The typed address is unknown: offers to register it. With open registration the sign-in link is mailed at once. */
export function NotExistUserModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const modal = useModal();
  const { returnTo } = useSearch({ strict: false });
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const email = rememberedEmail();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setProblem(undefined);
    try {
      const status = await requestRegistration(email, safeReturnTo(returnTo));
      modal.open(status === 'approved' ? 'confirm-send-email' : 'sent-message');
    } catch (error) {
      setProblem(asProblem(error));
      setPending(false);
    }
  };

  return (
    <ModalFrame title={t('signIn.unknownTitle')} onClose={close} busy={isPending}>
      <form className={classes.message} onSubmit={(event) => void submit(event)}>
        <p>{t('signIn.unknownText')}</p>
        <p className={classes.address}>{email}</p>
        <FormFooter
          submitLabel={t('signIn.request')}
          isPending={isPending}
          problem={problem}
          disabledReason={email === '' ? t('signIn.noEmail') : undefined}
          hasFocus
          onCancel={close}
          cancelLabel={t('action.close')}
        />
      </form>
    </ModalFrame>
  );
}
