import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { TabStrip } from '../../components/tab-strip.tsx';
import type { ModalProps } from '../../lib/modal.ts';
import { InvitationTables } from '../invitations/index.ts';
import { NewOrganizationForm } from './new-organization-form.tsx';

export function CreateOrgModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const openOrganization = (organizationId: string) =>
    navigate({ to: '/organizations/$organizationId', params: { organizationId }, replace: true });
  return (
    <ModalFrame title={t('organization.createTitle')} help="first-project#sign-in" onClose={close}>
      <TabStrip
        label={t('organization.createTitle')}
        tabs={[
          {
            id: 'new',
            label: t('organization.newTab'),
            content: <NewOrganizationForm onCreated={openOrganization} onCancel={close} />,
          },
          { id: 'invitations', label: t('organization.invitationsTab'), content: <InvitationTables /> },
        ]}
      />
    </ModalFrame>
  );
}
