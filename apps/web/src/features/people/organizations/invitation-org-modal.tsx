import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { InviteDialog } from '../members/index.ts';
import { organizationQuery } from './organizations.api.ts';
import { useOrganizationStanding } from './use-organization-standing.ts';

/** Invites to an organization. */
export function InvitationOrgModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const { data: organization, error } = useQuery(organizationQuery(id));
  return (
    <InviteDialog
      title={t('invitation.titleOf', { name: organization?.name ?? '…' })}
      place={{ kind: 'organization', id }}
      standing={useOrganizationStanding(organization)}
      seats={organization}
      error={error}
      close={close}
    />
  );
}
