import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { demandSignIn } from '../../../lib/session/demands.ts';
import { SignInForm } from './sign-in-form.tsx';

/** A guest of the demo has done what would change something: what signing in gives, and the way in. */
export function GuestDialog() {
  const { t } = useTranslation();
  const close = (): void => demandSignIn(false);
  return (
    <ModalFrame title={t('guest.title')} onClose={close} unsaved={{ isDirty: false }}>
      <p>{t('guest.text')}</p>
      <ul>
        {(['own', 'example', 'colleagues'] as const).map((gain) => (
          <li key={gain}>{t(`guest.gains.${gain}`)}</li>
        ))}
      </ul>
      <SignInForm onSent={close} />
    </ModalFrame>
  );
}
