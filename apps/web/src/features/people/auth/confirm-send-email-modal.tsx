import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { configQuery } from '../../../lib/api/config-query.ts';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import classes from './message-modal.module.css';
import { rememberedEmail } from './pending-email.ts';

export function ConfirmSendEmailModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery());
  const email = rememberedEmail();
  return (
    <ModalFrame title={t('signIn.sentTitle')} onClose={close}>
      <div className={classes.message}>
        <p>{t('signIn.sentText')}</p>
        {email && <p className={classes.address}>{email}</p>}
        {config?.outbox && (
          <p className="hx-muted">
            {t('signIn.outboxText')}{' '}
            <a className="hx-link" href="/dev/outbox" target="_blank" rel="noreferrer">
              {t('signIn.outboxLink')}
            </a>
          </p>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={close} data-autofocus>
            {t('action.close')}
          </Button>
        </div>
      </div>
    </ModalFrame>
  );
}
