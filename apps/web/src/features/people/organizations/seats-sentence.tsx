import type { OrganizationDetail } from '@heterosis/contracts/people/organizations';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sentInvitationsQuery } from '../members/index.ts';

/** `7 of 10 seats used, 1 invitation pending`; nothing for guests, who see no seats. */
export function SeatsSentence({ organization }: { organization: OrganizationDetail }) {
  const { t } = useTranslation();
  const { id, rights, seat_total, seat_usage } = organization;
  const { data: invitations } = useQuery({
    ...sentInvitationsQuery({ kind: 'organization', id }),
    enabled: rights.includes('see_invitations'),
  });
  if (seat_total === null || seat_usage === null) return null;
  const pending = invitations?.filter((one) => Date.parse(one.expires_at) > Date.now()).length ?? 0;
  return (
    <>
      {t('organization.seatsUsed', { used: seat_usage, total: seat_total })}
      {pending > 0 && t('organization.seatsPending', { count: pending })}
    </>
  );
}
