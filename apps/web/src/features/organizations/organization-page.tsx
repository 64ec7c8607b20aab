import type { OrganizationDetail, OrganizationMember } from '@heterosis/contracts/organizations';
import { Button, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type DataColumn, DataTable } from '../../components/data-table.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { useModal } from '../../lib/modal.ts';
import { membersQuery, organizationQuery, useDeleteOrganization } from './organizations.api.ts';

const memberId = (member: OrganizationMember): string => member.id;

export function OrganizationPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const [isDeleting, setDeleting] = useState(false);
  const remove = useDeleteOrganization(organizationId);
  if (!organization) return null;
  const mayEdit = organization.role === 'OWNER' || organization.role === 'MANAGER';
  return (
    <Page
      title={organization.name}
      crumbs={[{ label: t('nav.projects'), link: { to: '/projects' } }, { label: organization.name }]}
      action={
        mayEdit && (
          <>
            <Button onClick={() => modal.open('add-project', organizationId)}>{t('project.create')}</Button>
            <OrganizationMenu organization={organization} onDelete={() => setDeleting(true)} />
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
                  value: t('organization.seatsUsed', {
                    used: organization.seat_usage,
                    total: organization.seat_total,
                  }),
                },
              ]),
        ]}
      />
      {organization.description && <p style={{ margin: 0, whiteSpace: 'pre-wrap' }}>{organization.description}</p>}
      {organization.role && <Members organizationId={organizationId} />}
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

function Members({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { data: members, error, refetch, isPending } = useQuery(membersQuery(organizationId));
  const columns: DataColumn<OrganizationMember>[] = [
    { id: 'name', header: t('column.name'), value: (member) => member.name ?? member.email },
    { id: 'email', header: t('column.email'), value: (member) => member.email },
    { id: 'role', header: t('column.role'), value: (member) => t(`role.${member.role}`), width: 120, narrow: true },
    {
      id: 'created_at',
      header: t('column.since'),
      value: (member) => member.created_at,
      cell: (member) => <RelativeTime date={member.created_at} />,
      width: 140,
    },
  ];
  return (
    <Section title={t('organization.members')}>
      <DataTable
        id="members"
        label={t('organization.members')}
        columns={columns}
        rows={members}
        rowId={memberId}
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        hasTools={(members?.length ?? 0) > 8}
        defaultSort={{ column: 'name', descending: false }}
      />
    </Section>
  );
}
