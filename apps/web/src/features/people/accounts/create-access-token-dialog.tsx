import { createAccessTokenBody } from '@heterosis/contracts/people/auth';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { SecretDialog } from '../../../components/dialog/secret-dialog.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useCreateAccessToken } from './accounts.api.ts';
import { lacksProject, rightsBody, type TokenRights, TokenRightsFields } from './token-rights-fields.tsx';

const LIFETIMES_DAYS = [7, 30, 90, 365];

interface TokenForm extends TokenRights {
  name: string;
  days: string;
}

const toBody = (values: TokenForm) => ({
  ...rightsBody(values),
  name: values.name,
  expires_in_days: Number(values.days),
});

export function CreateAccessTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreateAccessToken();
  const [token, setToken] = useState<string>();
  const form = useForm<TokenForm>({
    initialValues: { name: '', scope: 'read', days: '90', reach: 'all', projects: [] },
    validate: (values) => schemaErrors(createAccessTokenBody, toBody(values)),
  });
  const submission = useSubmission(
    form,
    (values) => create.mutateAsync(toBody(values)),
    (created) => setToken(created.token),
  );

  const missing = lacksProject(form.values) ? t('token.projectNeeded') : undefined;
  const disabledReason = form.values.name.trim() === '' ? t('form.nameRequired') : missing;

  if (token !== undefined)
    return (
      <SecretDialog
        title={t('token.createdTitle')}
        warning={t('token.shownOnce')}
        label={t('token.token')}
        secret={token}
        onClose={onClose}
      />
    );
  return (
    <ModalFrame title={t('token.create')} help="scripting#api" onClose={onClose} busy={submission.isPending}>
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <TextInput
          label={t('column.name')}
          description={t('token.nameHint')}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TokenRightsFields form={form} />
        <NativeSelect
          label={t('token.expires')}
          data={LIFETIMES_DAYS.map((days) => ({ value: String(days), label: t('token.inDays', { count: days }) }))}
          {...form.getInputProps('days')}
        />
        <FormFooter
          submitLabel={t('token.create')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={disabledReason}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}
