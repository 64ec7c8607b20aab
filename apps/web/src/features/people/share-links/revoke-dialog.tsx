import type { ShareLink } from '@heterosis/contracts/people/share-links';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { useRevokeShareLink } from './share-links.api.ts';

export function RevokeDialog({ link, onClose }: { link: ShareLink; onClose: () => void }) {
  const { t } = useTranslation();
  const revoke = useRevokeShareLink();
  return (
    <ConfirmDialog
      title={t('share.revokeTitle', { name: link.name ?? t('share.deleted') })}
      confirmLabel={t('token.revoke')}
      onConfirm={() => revoke.mutateAsync(link)}
      onClose={onClose}
    >
      {t('share.revokeText')}
    </ConfirmDialog>
  );
}
