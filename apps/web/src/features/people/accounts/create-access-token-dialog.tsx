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

interface Dialog {
  onClose: () => void;
  /** What the token is for, where a script is not. */
  assistant?: true;
}

export function CreateAccessTokenDialog({ onClose, assistant }: Dialog) {
  const { t } = useTranslation();
  const create = useCreateAccessToken();
  const [token, setToken] = useState<string>();
  const form = useForm<TokenForm>({
    initialValues: {
      name: assistant ? t('assistant.name') : '',
      scope: 'read',
      days: '90',
      reach: 'all',
      projects: [],
    },
    validate: (values) => schemaErrors(createAccessTokenBody, toBody(values)),
  });
  const submission = useSubmission(
    form,
    (values) => create.mutateAsync(toBody(values)),
    (created) => setToken(created.token),
  );

  const title = t(assistant ? 'assistant.title' : 'token.create');
  const missing = lacksProject(form.values) ? t('token.projectNeeded') : undefined;
  const disabledReason = form.values.name.trim() === '' ? t('form.nameRequired') : missing;

  if (token !== undefined && assistant)
    return (
      <SecretDialog
        title={t('assistant.connected')}
        help="assistants#connect-one"
        warning={t('assistant.shownOnce')}
        label={t('assistant.settings')}
        secret={assistantSettings(window.location.origin, token)}
        isLong
        onClose={onClose}
      />
    );
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
    <ModalFrame
      title={title}
      help={assistant ? 'assistants#connect-one' : 'scripting#api'}
      onClose={onClose}
      busy={submission.isPending}
    >
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <TextInput
          label={t('column.name')}
          description={assistant ? t('assistant.nameHint') : t('token.nameHint')}
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
          submitLabel={assistant ? t('assistant.connect') : t('token.create')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={disabledReason}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}

/** As programs of assistants read it from their settings. */
const assistantSettings = (origin: string, token: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        heterosis: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${token}` } },
      },
    },
    undefined,
    2,
  );
