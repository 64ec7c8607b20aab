import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { TabStrip } from '../../components/tab-strip.tsx';
import type { ModalProps } from '../../lib/modal.ts';
import { InvitationList } from './invitation-list.tsx';

export function InvitationBoxModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const emptyText = t('invitation.noneReceived');
  return (
    <ModalFrame title={t('invitation.boxTitle')} onClose={close}>
      <TabStrip
        label={t('invitation.boxTitle')}
        tabs={[
          {
            id: 'projects',
            label: t('invitation.projects'),
            content: <InvitationList kind="project" emptyText={emptyText} />,
          },
          {
            id: 'organizations',
            label: t('invitation.organizations'),
            content: <InvitationList kind="organization" emptyText={emptyText} />,
          },
        ]}
      />
    </ModalFrame>
  );
}
