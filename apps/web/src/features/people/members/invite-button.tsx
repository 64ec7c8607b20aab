import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { mayInvite, type Standing } from './rights.ts';

/** Opens the dialog that invites, for those who may. */
export function InviteButton({ standing, onInvite }: { standing: Standing | undefined; onInvite: () => void }) {
  const { t } = useTranslation();
  if (!standing || !mayInvite(standing)) return null;
  return <Button onClick={onInvite}>{t('invitation.inviteTo')}</Button>;
}
