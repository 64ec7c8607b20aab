import type { OrganizationDetail } from '@heterosis/contracts/people/organizations';
import type { OrganizationRight } from '@heterosis/contracts/people/rights';
import { Button, Group, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots, IconPackage, IconPencil, IconTrash } from '../../../components/icons.tsx';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Page } from '../../../components/page/page.tsx';
import { Section } from '../../../components/page/section.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { formatBytes } from '../../../lib/format/format.ts';
import { PlanSentence } from '../billing/index.ts';
import { RecentMembers } from '../members/index.ts';
import { LogoSection } from './logo-section.tsx';
import { organizationQuery, useDeleteOrganization } from './organizations.api.ts';
import { SeatsSentence } from './seats-sentence.tsx';
import { UsageFact } from './usage-fact.tsx';

interface OrganizationPageProps {
  organizationId: string;
  projects: ReactNode;
  /** For those who may restore them. */
  deletedProjects: ReactNode;
}

export function OrganizationPage({ organizationId, projects, deletedProjects }: OrganizationPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const [isDeleting, setDeleting] = useState(false);
  const remove = useDeleteOrganization(organizationId);
  if (!organization) return null;
  const { role } = organization;
  const may = (right: OrganizationRight): boolean => organization.rights.includes(right);
  return (
    <Page
      title={organization.name}
      crumbs={[{ label: t('nav.projects'), link: { to: '/projects' } }, { label: organization.name }]}
      action={
        <>
          {may('create_projects') && (
            <Button onClick={() => modal.open('add-project', organizationId)}>{t('project.create')}</Button>
          )}
          {(may('edit') || may('delete')) && (
            <OrganizationMenu organization={organization} onDelete={() => setDeleting(true)} />
          )}
        </>
      }
    >
      {organization.description && <p style={{ margin: 0, whiteSpace: 'pre-wrap' }}>{organization.description}</p>}
      {projects}
      {may('see_members') && (
        <RecentMembers
          place={{ kind: 'organization', id: organizationId }}
          expected={organization.seat_usage}
          action={<MemberActions organizationId={organizationId} mayInvite={may('invite')} />}
        />
      )}
      {may('restore_projects') && deletedProjects}
      <Section title={t('organization.settings')}>
        <FactsStrip
          facts={[
            { label: t('column.yourRole'), value: role ? t(`role.${role}`) : t('role.GUEST') },
            ...(role === null ? [] : standingFacts(organization, t)),
            ...(may('see_billing')
              ? [{ label: t('billing.planLabel'), value: <PlanSentence organizationId={organizationId} /> }]
              : []),
            { label: t('column.created'), value: <RelativeTime date={organization.created_at} /> },
          ]}
        />
      </Section>
      {may('edit') && <LogoSection organization={organization} />}
      {isDeleting && (
        <ConfirmDialog
          title={t('action.deleteTitle', { name: organization.name })}
          confirmLabel={t('organization.delete')}
          typeToConfirm={t('confirm.deleteWord')}
          onConfirm={() => remove.mutateAsync()}
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

/** Seats, storage and runs. */
function standingFacts(organization: OrganizationDetail, t: TFunction): Fact[] {
  const { storage_used_bytes: bytes, storage_quota_bytes: bytesQuota, runs_unfinished: runs, run_quota } = organization;
  return [
    { label: t('word.seats'), value: <SeatsSentence organization={organization} /> },
    {
      label: t('organization.storage'),
      value: (
        <UsageFact
          label={t('organization.storage')}
          text={ofQuota(formatBytes(bytes ?? 0), bytesQuota === null ? null : formatBytes(bytesQuota), t)}
          used={bytes ?? 0}
          quota={bytesQuota}
        />
      ),
      hint: t('organization.storageHint'),
    },
    ...(run_quota === null
      ? []
      : [
          {
            label: t('organization.runs'),
            value: (
              <UsageFact
                label={t('organization.runs')}
                text={ofQuota(`${runs ?? 0}`, `${run_quota}`, t)}
                used={runs ?? 0}
                quota={run_quota}
              />
            ),
            hint: t('organization.runsHint'),
          },
        ]),
  ];
}

const ofQuota = (used: string, quota: string | null, t: TFunction): string =>
  quota === null ? used : t('organization.usedOf', { used, quota });

function MemberActions({ organizationId, mayInvite }: { organizationId: string; mayInvite: boolean }) {
  const { t } = useTranslation();
  const modal = useModal();
  return (
    <Group gap="sm">
      <Link to="/organizations/$organizationId/members" params={{ organizationId }} className="hx-link">
        {t(mayInvite ? 'organization.manageMembers' : 'organization.allMembers')}
      </Link>
      {mayInvite && (
        <Button variant="default" onClick={() => modal.open('invitation-org', organizationId)}>
          {t('invitation.inviteTo')}
        </Button>
      )}
    </Group>
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
        {organization.rights.includes('edit') && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => modal.open('update-org', organization.id)}>
            {t('organization.edit')}
          </Menu.Item>
        )}
        {organization.role === 'OWNER' && (
          <Menu.Item
            leftSection={<IconPackage size={16} />}
            onClick={() => modal.open('organization-package', organization.id)}
          >
            {t('packages.menuOrganization')}
          </Menu.Item>
        )}
        {organization.rights.includes('delete') && (
          <Menu.Item leftSection={<IconTrash size={16} />} className="hx-danger" onClick={onDelete}>
            {t('organization.delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
