import type { OrganizationDetail } from '@heterosis/contracts/people/organizations';
import { updateOrganizationBody } from '@heterosis/contracts/people/organizations';
import { MAX_SHARE_LINK_DAYS, SHARE_LIFETIMES_DAYS } from '@heterosis/contracts/people/share-links';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EditDialog } from '../../../components/dialog/edit-dialog.tsx';
import { DescriptionField, SaveForm } from '../../../components/dialog/save-form.tsx';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { organizationQuery, useUpdateOrganization } from './organizations.api.ts';

export function UpdateOrgModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const query = useQuery(organizationQuery(id));
  return (
    <EditDialog title={t('organization.updateTitle')} close={close} query={query}>
      {(organization) => <OrganizationForm organization={organization} close={close} />}
    </EditDialog>
  );
}

function OrganizationForm({ organization, close }: { organization: OrganizationDetail; close: () => void }) {
  const { t } = useTranslation();
  const isOwner = organization.role === 'OWNER';
  const before = organization.share_link_days ?? MAX_SHARE_LINK_DAYS;
  const update = useUpdateOrganization(organization.id);
  const form = useForm({
    initialValues: {
      name: organization.name,
      description: organization.description ?? '',
      members_may_create_projects: organization.members_may_create_projects === true,
      managers_may_invite_managers: organization.managers_may_invite_managers === true,
      requires_second_factor: organization.requires_second_factor === true,
      share_link_days: String(before),
    },
    validate: ({ share_link_days: _, ...values }) => schemaErrors(updateOrganizationBody, values),
  });
  const submission = useSubmission(
    form,
    ({ managers_may_invite_managers, requires_second_factor, share_link_days, description, ...values }) =>
      update.mutateAsync({
        ...values,
        description: description.trim() || null,
        ...(isOwner ? { managers_may_invite_managers, share_link_days: Number(share_link_days) } : {}),
        ...(isOwner && requires_second_factor !== organization.requires_second_factor
          ? { requires_second_factor }
          : {}),
      }),
    close,
  );
  return (
    <SaveForm submission={submission} onCancel={close}>
      <TextInput label={t('organization.name')} data-autofocus autoFocus {...form.getInputProps('name')} />
      <DescriptionField input={form.getInputProps('description')} rows={[3, 10]} />
      <Checkbox
        label={t('organization.membersMayCreate')}
        description={t('organization.membersMayCreateHint')}
        {...form.getInputProps('members_may_create_projects', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('organization.managersMayInvite')}
        description={t(isOwner ? 'organization.managersMayInviteHint' : 'organization.ownersOnly')}
        disabled={!isOwner}
        {...form.getInputProps('managers_may_invite_managers', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('organization.secondFactor')}
        description={t(isOwner ? 'organization.secondFactorHint' : 'organization.ownersOnly')}
        disabled={!isOwner}
        {...form.getInputProps('requires_second_factor', { type: 'checkbox' })}
      />
      <NativeSelect
        label={t('organization.shareLinkDays')}
        description={t(isOwner ? 'organization.shareLinkDaysHint' : 'organization.ownersOnly')}
        disabled={!isOwner}
        data={[...new Set([0, ...SHARE_LIFETIMES_DAYS, before])].map((days) => ({
          value: String(days),
          label: days === 0 ? t('organization.noShareLinks') : t('organization.shareLinksFor', { count: days }),
        }))}
        {...form.getInputProps('share_link_days')}
      />
    </SaveForm>
  );
}
