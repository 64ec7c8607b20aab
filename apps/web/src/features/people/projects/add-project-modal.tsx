import type { Organization } from '@heterosis/contracts/people/organizations';
import { createProjectBody } from '@heterosis/contracts/people/projects';
import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useCurrentCrop } from '../../../lib/session/current-crop.ts';
import { cropsQuery, useCreateCrop } from '../crops/index.ts';
import { organizationsQuery } from '../organizations/index.ts';
import { useCreateProject } from './projects.api.ts';

/** Asks for crop and name; an organization without crops gets its first one here. `id` may name the organization. */
export function AddProjectModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const { data: organizations, error } = useQuery(organizationsQuery());
  const mine = organizations?.filter(({ rights }) => rights.includes('create_projects'));
  return (
    <ModalFrame title={t('project.createTitle')} help="first-project#create-a-project" onClose={close}>
      {error && <ErrorNotice error={error} />}
      {!mine && !error && <SkeletonLines />}
      {mine?.length === 0 && <p>{t('project.noRight')}</p>}
      {mine && mine.length > 0 && <AddProjectForm organizations={mine} preferredId={id} close={close} />}
    </ModalFrame>
  );
}

interface FormProps {
  organizations: Organization[];
  preferredId: string | undefined;
  close: () => void;
}

function AddProjectForm({ organizations, preferredId, close }: FormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useCreateProject();
  const first = organizations.find((one) => one.id === preferredId) ?? organizations[0];
  const form = useForm({
    initialValues: { organization_id: first?.id ?? '', crop_id: '', crop_name: '', name: '' },
    // The crop is chosen below even when this field still is empty.
    validate: ({ name }) => schemaErrors(createProjectBody.pick({ name: true }), { name }),
  });
  const { organization_id: organizationId } = form.values;
  const { data: crops, error } = useQuery(cropsQuery(organizationId));
  const createCrop = useCreateCrop(organizationId);
  const mayAddCrop = organizations.find((one) => one.id === organizationId)?.rights.includes('change_crops') ?? false;
  const isFirstCrop = crops?.length === 0 && mayAddCrop;
  const current = useCurrentCrop(organizationId, crops);
  const cropId = crops?.find((one) => one.id === form.values.crop_id)?.id ?? current?.id ?? '';
  const submission = useSubmission(
    form,
    async ({ name, crop_name }) => {
      const crop_id = isFirstCrop ? (await createCrop.mutateAsync({ name: crop_name })).id : cropId;
      return create.mutateAsync({ name, organization_id: organizationId, crop_id });
    },
    (project) => navigate({ to: '/projects/$projectId', params: { projectId: project.id }, search: {}, replace: true }),
  );
  const reason =
    (isFirstCrop ? form.values.crop_name.trim() : cropId) === ''
      ? t(crops?.length === 0 && !mayAddCrop ? 'project.noCrop' : 'project.cropNeeded')
      : form.values.name.trim() === ''
        ? t('form.nameRequired')
        : undefined;
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      {organizations.length > 1 && (
        <Select
          label={t('nav.organization')}
          data={organizations.map((one) => ({ value: one.id, label: one.name }))}
          allowDeselect={false}
          searchable={organizations.length > 8}
          {...form.getInputProps('organization_id')}
        />
      )}
      {error && <ErrorNotice error={error} />}
      {isFirstCrop ? (
        <TextInput
          label={t('column.crop')}
          data-autofocus
          autoFocus
          description={t('crop.nameHint')}
          maxLength={255}
          {...form.getInputProps('crop_name')}
        />
      ) : (
        <Select
          label={t('column.crop')}
          data={(crops ?? []).map((one) => ({ value: one.id, label: one.name }))}
          allowDeselect={false}
          searchable={(crops?.length ?? 0) > 8}
          {...form.getInputProps('crop_id')}
          value={cropId}
        />
      )}
      <TextInput
        label={t('project.name')}
        {...(isFirstCrop ? {} : { 'data-autofocus': true, autoFocus: true })}
        {...form.getInputProps('name')}
      />
      <FormFooter
        submitLabel={t('project.create')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={reason}
        onCancel={close}
      />
    </form>
  );
}
