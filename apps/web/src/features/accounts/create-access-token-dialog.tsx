import { createAccessTokenBody } from '@heterosis/contracts/auth';
import { Button, Checkbox, CopyButton, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import formClasses from '../../components/form.module.css';
import { FormFooter } from '../../components/form-footer.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { Notice } from '../../components/notice.tsx';
import { schemaErrors, useSubmission } from '../../lib/form.ts';
import { tokenProjectsQuery, useCreateAccessToken } from './accounts.api.ts';
import classes from './create-access-token-dialog.module.css';

const LIFETIMES_DAYS = [7, 30, 90, 365];

interface TokenForm extends Record<string, unknown> {
  name: string;
  scope: 'read' | 'write';
  days: string;
  reach: 'all' | 'chosen';
  projects: string[];
}

const toBody = (values: TokenForm) => ({
  name: values.name,
  scopes: values.scope === 'write' ? (['read', 'write'] as const) : (['read'] as const),
  expires_in_days: Number(values.days),
  project_ids: values.reach === 'chosen' ? values.projects : null,
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
    (values) => {
      const body = toBody(values);
      return create.mutateAsync({ ...body, scopes: [...body.scopes] });
    },
    (created) => setToken(created.token),
  );

  const projects = useQuery({ ...tokenProjectsQuery(), enabled: form.values.reach === 'chosen' });
  const isUnlimited = form.values.reach === 'all' || form.values.projects.length > 0;
  const missing = isUnlimited ? undefined : t('token.projectNeeded');
  const disabledReason = form.values.name.trim() === '' ? t('form.nameRequired') : missing;

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
        <Radio.Group label={t('token.reach')} {...form.getInputProps('reach')}>
          <Radio value="all" label={t('token.reachAll')} mt="xs" />
          <Radio value="chosen" label={t('token.reachChosen')} mt="xs" />
        </Radio.Group>
        {form.values.reach === 'chosen' && (
          <Checkbox.Group label={t('token.chooseProjects')} {...form.getInputProps('projects')}>
            <div className={classes.projects}>
              {projects.data?.length === 0 && <p className="hx-muted">{t('token.noProjectYet')}</p>}
              {projects.data?.map((one) => (
                <Checkbox key={one.id} value={one.id} label={one.name} mt="xs" />
              ))}
            </div>
            {projects.error && <ErrorNotice error={projects.error} onRetry={() => void projects.refetch()} />}
          </Checkbox.Group>
        )}
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
