import { updateProfileBody } from '@heterosis/contracts/people/auth';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useSession } from '../../../lib/session/browser-session.ts';
import { useUpdateProfile } from './accounts.api.ts';
import { splitDisplayName } from './name-fields.ts';

/** First and last name; both are needed to save. */
export function NameForm(props: { submitLabel: string; onSaved: () => void; onCancel?: () => void }) {
  const { t } = useTranslation();
  const state = useSession();
  const update = useUpdateProfile();
  const form = useForm({
    initialValues: splitDisplayName(state.status === 'signed-in' ? state.user.displayName : null),
    validate: (values) => schemaErrors(updateProfileBody, values),
  });
  const submission = useSubmission(form, update.mutateAsync, props.onSaved);
  const { first_name, last_name } = form.values;
  const isIncomplete = first_name.trim() === '' || last_name.trim() === '';
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <TextInput
        label={t('account.firstName')}
        autoComplete="given-name"
        data-autofocus
        autoFocus
        {...form.getInputProps('first_name')}
      />
      <TextInput label={t('account.lastName')} autoComplete="family-name" {...form.getInputProps('last_name')} />
      <FormFooter
        submitLabel={props.submitLabel}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={isIncomplete ? t('account.bothNames') : undefined}
        onCancel={props.onCancel}
      />
    </form>
  );
}
