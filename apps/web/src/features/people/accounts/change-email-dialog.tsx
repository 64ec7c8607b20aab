import { changeEmailBody } from '@heterosis/contracts/people/auth';
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useChangeEmail } from './accounts.api.ts';

/** Asks for a new address, to which a link is mailed. */
export function ChangeEmailDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangeEmail();
  const form = useForm({
    initialValues: { email: '', end_other_sessions: true },
    validate: (values) => schemaErrors(changeEmailBody, values),
  });
  const submission = useSubmission(form, change.mutateAsync, onClose);
  return (
    <ModalFrame title={t('account.changeEmail')} onClose={onClose} busy={submission.isPending}>
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <p style={{ margin: 0 }}>{t('account.changeEmailNote', { email })}</p>
        <TextInput
          type="email"
          autoComplete="email"
          label={t('word.newEMailAddress')}
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Checkbox
          label={t('account.endOthers')}
          description={t('account.endOthersHint')}
          {...form.getInputProps('end_other_sessions', { type: 'checkbox' })}
        />
        <FormFooter
          submitLabel={t('account.sendLink')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={form.values.email.trim() === '' ? t('signIn.firebase.invalid-email') : undefined}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}
