import type { OrganizationDetail } from '@heterosis/contracts/organizations';
import { Button, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useModal } from '../../lib/modal.ts';
import { People, sentInvitationsQuery } from '../people/index.ts';
import { organizationQuery, useDeleteOrganization } from './organizations.api.ts';
import { useOrganizationStanding } from './use-organization-standing.ts';

/** `children` are its projects. */
export function OrganizationPage({ organizationId, children }: { organizationId: string; children: ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const [isDeleting, setDeleting] = useState(false);
  const remove = useDeleteOrganization(organizationId);
  const standing = useOrganizationStanding(organization);
  const mayEdit = organization?.role === 'OWNER' || organization?.role === 'MANAGER';
  const { data: invitations } = useQuery({
    ...sentInvitationsQuery({ kind: 'organization', id: organizationId }),
    enabled: mayEdit,
  });
  if (!organization) return null;
  const mayCreate = mayEdit || (organization.role === 'MEMBER' && organization.members_may_create_projects === true);
  const pending = invitations?.filter((one) => Date.parse(one.expires_at) > Date.now()).length ?? 0;
  return (
    <Page
      title={organization.name}
      crumbs={[{ label: t('nav.projects'), link: { to: '/projects' } }, { label: organization.name }]}
      action={
        mayCreate && (
          <>
            <Button onClick={() => modal.open('add-project', organizationId)}>{t('project.create')}</Button>
            {mayEdit && <OrganizationMenu organization={organization} onDelete={() => setDeleting(true)} />}
          </>
        )
      }
    >
      <FactsStrip
        facts={[
          {
            label: t('column.yourRole'),
            value: organization.role ? t(`role.${organization.role}`) : t('organization.guest'),
          },
          { label: t('column.created'), value: <RelativeTime date={organization.created_at} /> },
          ...(organization.seat_total === null || organization.seat_usage === null
            ? []
            : [
                {
                  label: t('organization.seats'),
                  value:
                    t('organization.seatsUsed', { used: organization.seat_usage, total: organization.seat_total }) +
                    (pending > 0 ? t('organization.seatsPending', { count: pending }) : ''),
                },
              ]),
        ]}
      />
      {organization.description && <p style={{ margin: 0, whiteSpace: 'pre-wrap' }}>{organization.description}</p>}
      {children}
      {standing && (
        <People
          place={{ kind: 'organization', id: organizationId }}
          name={organization.name}
          standing={standing}
          onInvite={() => modal.open('invitation-org', organizationId)}
          onLeft={() => void navigate({ to: '/projects', replace: true })}
        />
      )}
      {isDeleting && (
        <ConfirmDialog
          title={t('organization.deleteTitle', { name: organization.name })}
          confirmLabel={t('organization.delete')}
          typeToConfirm={organization.name}
          onConfirm={() => remove.mutateAsync(organization.name)}
          onClose={(isDeleted) => {
            setDeleting(false);
            if (isDeleted) void navigate({ to: '/projects', replace: true });
          }}
        >
          {t('organization.deleteText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function OrganizationMenu({ organization, onDelete }: { organization: OrganizationDetail; onDelete: () => void }) {
  const { t } = useTranslation();
  const modal = useModal();
  return (
    <Menu>
      <Menu.Target>
        <IconButton label={t('organization.menu')} variant="default" size="lg">
          <IconDots size={18} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => modal.open('update-org', organization.id)}>
          {t('organization.edit')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={16} />}
          color="red"
          disabled={organization.role !== 'OWNER'}
          onClick={onDelete}
        >
          {t('organization.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
