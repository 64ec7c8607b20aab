import { createAccessTokenBody } from '@heterosis/contracts/auth';
import { Button, CopyButton, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import formClasses from '../../components/form.module.css';
import { FormFooter } from '../../components/form-footer.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { Notice } from '../../components/notice.tsx';
import { schemaErrors, useSubmission } from '../../lib/form.ts';
import { useCreateAccessToken } from './accounts.api.ts';

const LIFETIMES_DAYS = [7, 30, 90, 365];

interface TokenForm extends Record<string, unknown> {
  name: string;
  scope: 'read' | 'write';
  days: string;
}

const toBody = (values: TokenForm) => ({
  name: values.name,
  scopes: values.scope === 'write' ? (['read', 'write'] as const) : (['read'] as const),
  expires_in_days: Number(values.days),
});

export function CreateAccessTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreateAccessToken();
  const [token, setToken] = useState<string>();
  const form = useForm<TokenForm>({
    initialValues: { name: '', scope: 'read', days: '90' },
    validate: (values) => schemaErrors(createAccessTokenBody, toBody(values)),
  });
  const submission = useSubmission(
    form,
    (values) => {
      const body = toBody(values);
      return create.mutateAsync({ ...body, scopes: [...body.scopes] });
    },
    (created) => setToken(created.token),
  );

  if (token !== undefined) {
    return (
      <ModalFrame title={t('token.createdTitle')} onClose={onClose}>
        <div className={formClasses.form}>
          <Notice kind="warning">{t('token.shownOnce')}</Notice>
          <TextInput
            label={t('token.token')}
            value={token}
            readOnly
            className="hx-mono"
            onFocus={(event) => event.currentTarget.select()}
            data-autofocus
          />
          <div style={{ display: 'flex', gap: '0.5rem', justifyContent: 'flex-end' }}>
            <CopyButton value={token}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? t('token.copied') : t('token.copy')}
                </Button>
              )}
            </CopyButton>
            <Button onClick={onClose}>{t('token.done')}</Button>
          </div>
        </div>
      </ModalFrame>
    );
  }
  return (
    <ModalFrame title={t('token.create')} help="scripting#api" onClose={onClose} busy={submission.isPending}>
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <TextInput
          label={t('column.name')}
          description={t('token.nameHint')}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Radio.Group label={t('token.mayDo')} {...form.getInputProps('scope')}>
          <Radio value="read" label={t('token.readOnly')} mt="xs" />
          <Radio value="write" label={t('token.readWrite')} mt="xs" />
        </Radio.Group>
        <NativeSelect
          label={t('token.expires')}
          data={LIFETIMES_DAYS.map((days) => ({ value: String(days), label: t('token.inDays', { count: days }) }))}
          {...form.getInputProps('days')}
        />
        <FormFooter
          submitLabel={t('token.create')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={form.values.name.trim() === '' ? t('form.nameRequired') : undefined}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}
