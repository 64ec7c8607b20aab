import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { InviteButton, People } from '../members/index.ts';
import { organizationQuery } from './organizations.api.ts';
import { SeatsSentence } from './seats-sentence.tsx';
import { useOrganizationStanding } from './use-organization-standing.ts';

/** The people of an organization and its invitations. */
export function OrganizationMembersPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const standing = useOrganizationStanding(organization);
  return (
    <Page
      title={t('nav.members')}
      crumbs={[
        {
          label: organization?.name ?? '…',
          link: { to: '/organizations/$organizationId', params: { organizationId } },
        },
        { label: t('nav.members') },
      ]}
      action={<InviteButton standing={standing} onInvite={() => modal.open('invitation-org', organizationId)} />}
      aside={
        organization && (
          <span className="hx-muted">
            <SeatsSentence organization={organization} />
          </span>
        )
      }
    >
      {!organization && <SkeletonLines />}
      {organization && standing && (
        <People
          place={{ kind: 'organization', id: organizationId }}
          name={organization.name}
          standing={standing}
          onLeft={() => void navigate({ to: '/projects', replace: true })}
        />
      )}
    </Page>
  );
}
