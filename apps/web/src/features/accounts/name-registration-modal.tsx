import { Navigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { useSession } from '../../lib/browser-session.ts';
import type { ModalProps } from '../../lib/modal.ts';
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
