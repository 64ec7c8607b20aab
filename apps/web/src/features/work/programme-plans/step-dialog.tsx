import type { ProgrammePlanStep } from '@heterosis/contracts/work/programmes/programme-plans';
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { useSubmission } from '../../../lib/form/form.ts';
import type { PlanMutations } from './programme-plans.api.ts';

/** Date and note of a step. */
export function StepDialog(props: {
  step: ProgrammePlanStep;
  name: string;
  mutations: Pick<PlanMutations, 'change'>;
  close: () => void;
}) {
  const { step, name, mutations, close } = props;
  const { t } = useTranslation();
  const form = useForm({ initialValues: { due_on: step.is_own_date ? step.due_on : '', note: step.note } });
  const submission = useSubmission(
    form,
    ({ due_on, note }) =>
      mutations.change.mutateAsync({ step: step.step, due_on: due_on === '' ? null : due_on, note }),
    close,
  );
  return (
    <ModalFrame title={name} onClose={close} size="md" unsaved={{ isDirty: form.isDirty() }}>
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <TextInput
          type="date"
          label={t('programmePlans.dueOn')}
          description={t('programmePlans.dueOnHint')}
          {...form.getInputProps('due_on')}
        />
        <Textarea
          label={t('programmePlans.note')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={1000}
          {...form.getInputProps('note')}
        />
        <FormFooter
          submitLabel={t('action.saveChanges')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
