import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import classes from './message-modal.module.css';

export function SentMessageModal({ close }: ModalProps) {
  const { t } = useTranslation();
  return (
    <ModalFrame title={t('signIn.registeredTitle')} onClose={close}>
      <div className={classes.message}>
        <p>{t('signIn.registeredText')}</p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={close} data-autofocus>
            {t('action.close')}
          </Button>
        </div>
      </div>
    </ModalFrame>
  );
}
