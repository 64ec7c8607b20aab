import {
  createWebhookBody,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '@heterosis/contracts/people/webhooks';
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { SecretDialog } from '../../../components/dialog/secret-dialog.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useWebhookMutations } from './webhooks.api.ts';

interface WebhookForm extends Record<string, unknown> {
  name: string;
  url: string;
  events: string[];
  renew: boolean;
}

const toBody = ({ name, url, events }: WebhookForm) => ({ name, url, events: events as WebhookEvent[] });

/** Registers an address, or changes one. A new secret is shown once. */
export function WebhookDialog({
  organizationId,
  webhook,
  onClose,
}: {
  organizationId: string;
  /** Undefined: a new one. */
  webhook?: Webhook | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { create, change } = useWebhookMutations(organizationId);
  const [secret, setSecret] = useState<string>();
  const form = useForm<WebhookForm>({
    initialValues: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      events: webhook?.events ?? ['run.ended'],
      renew: false,
    },
    validate: (values) => schemaErrors(createWebhookBody, toBody(values)),
  });
  const submission = useSubmission(
    form,
    (values) =>
      webhook === undefined
        ? create.mutateAsync(toBody(values))
        : change.mutateAsync({ id: webhook.id, ...toBody(values), renew_secret: values.renew }),
    (made) => (made.secret === null ? onClose() : setSecret(made.secret)),
  );
  if (secret !== undefined)
    return (
      <SecretDialog
        title={t('webhook.secretTitle')}
        help="webhooks#check-the-signature"
        warning={t('webhook.shownOnce')}
        label={t('webhook.secret')}
        secret={secret}
        onClose={onClose}
      />
    );
  const { name, url, events } = form.values;
  const missing =
    name.trim() === ''
      ? t('form.nameRequired')
      : url.trim() === ''
        ? t('webhook.urlRequired')
        : events.length === 0
          ? t('webhook.eventRequired')
          : undefined;
  return (
    <ModalFrame
      title={webhook === undefined ? t('webhook.add') : t('webhook.editTitle')}
      help="webhooks#webhooks"
      onClose={onClose}
      busy={submission.isPending}
    >
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <TextInput label={t('column.name')} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label={t('webhook.url')}
          description={t('webhook.urlHint')}
          type="url"
          placeholder="https://"
          {...form.getInputProps('url')}
        />
        <Checkbox.Group label={t('webhook.events')} {...form.getInputProps('events')}>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={t(`webhook.event.${event}`)} mt="xs" />
          ))}
        </Checkbox.Group>
        {webhook !== undefined && (
          <Checkbox
            label={t('webhook.renew')}
            description={t('webhook.renewHint')}
            {...form.getInputProps('renew', { type: 'checkbox' })}
          />
        )}
        <FormFooter
          submitLabel={webhook === undefined ? t('webhook.add') : t('action.saveChanges')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={missing}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}
