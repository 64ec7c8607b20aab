import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { TabStrip } from '../../../components/page/tab-strip.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { InvitationTables } from '../invitations/index.ts';
import { NewOrganizationOffers } from './new-organization-offers.tsx';

export function CreateOrgModal({ close }: ModalProps) {
  const { t } = useTranslation();
  return (
    <ModalFrame title={t('organization.createTitle')} help="first-project#sign-in" size="lg" onClose={close}>
      <TabStrip
        label={t('organization.createTitle')}
        tabs={[
          {
            id: 'new',
            label: t('organization.newTab'),
            content: <NewOrganizationOffers />,
          },
          { id: 'invitations', label: t('word.invitations'), content: <InvitationTables /> },
        ]}
      />
    </ModalFrame>
  );
}
