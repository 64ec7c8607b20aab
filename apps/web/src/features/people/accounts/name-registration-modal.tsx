import { Navigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { useSession } from '../../../lib/session/browser-session.ts';
import { NameForm } from './name-form.tsx';

export function NameRegistrationModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const state = useSession();
  if (state.status !== 'signed-in') return <Navigate to="/" replace />;
  return (
    <ModalFrame title={t('account.nameTitle')} onClose={close} size="sm">
      <NameForm submitLabel={t('account.saveName')} onSaved={close} onCancel={close} />
    </ModalFrame>
  );
}
