import type { DecisionDetail } from '@heterosis/contracts/work/decisions';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { useSubmission } from '../../../lib/form/form.ts';
import { marksQuery, useDecisionMutations } from './decisions.api.ts';
import classes from './decisions.module.css';

/** Closes a decision: what will be kept is said before. */
export function CloseDialog(props: {
  projectId: string;
  decision: DecisionDetail;
  waiting: number;
  onClose: () => void;
}) {
  const { projectId, decision, waiting, onClose } = props;
  const { t } = useTranslation();
  const { close } = useDecisionMutations(projectId);
  const { data: marks } = useQuery(marksQuery(projectId, decision.id));
  const { counts, version } = decision;
  const form = useForm({
    initialValues: { list_name: version === 1 ? decision.name : `${decision.name} (${version})` },
  });
  const submission = useSubmission(
    form,
    ({ list_name }) =>
      close.mutateAsync({
        id: decision.id,
        version,
        list_name: list_name.trim(),
        last_mark: marks?.at(-1)?.place ?? 0,
      }),
    onClose,
  );
  const missing =
    counts.disagreed > 0
      ? t('decisions.settleFirst', { count: counts.disagreed })
      : counts.ADVANCE === 0
        ? t('decisions.nobodyAdvances')
        : waiting > 0
          ? t('decisions.stillSending')
          : form.values.list_name.trim() === ''
            ? t('form.nameRequired')
            : undefined;
  return (
    <ModalFrame title={t('decisions.closeTitle', { name: decision.name })} onClose={onClose} size="md">
      <form className={classes.form} onSubmit={submission.handleSubmit} noValidate>
        <p>
          {t('decisions.closeText', {
            count: counts.ADVANCE,
            hold: counts.HOLD,
            drop: counts.DROP,
            open: counts.UNDECIDED - (decision.settings.check === null ? 0 : 1),
          })}
        </p>
        <TextInput label={t('decisions.listName')} maxLength={255} {...form.getInputProps('list_name')} />
        <FormFooter
          submitLabel={t('decisions.close')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={onClose}
          disabledReason={missing}
          hasFocus
        />
      </form>
    </ModalFrame>
  );
}

/** Reopens a closed decision as a new version, with a reason. */
export function ReopenDialog(props: { projectId: string; decision: DecisionDetail; onClose: () => void }) {
  const { projectId, decision, onClose } = props;
  const { t } = useTranslation();
  const { reopen } = useDecisionMutations(projectId);
  const form = useForm({ initialValues: { reason: '' } });
  const submission = useSubmission(
    form,
    ({ reason }) => reopen.mutateAsync({ id: decision.id, reason: reason.trim() }),
    onClose,
  );
  return (
    <ModalFrame title={t('decisions.reopenTitle', { name: decision.name })} onClose={onClose} size="md">
      <form className={classes.form} onSubmit={submission.handleSubmit} noValidate>
        <p>{t('decisions.reopenText')}</p>
        <TextInput label={t('decisions.reason')} maxLength={1000} {...form.getInputProps('reason')} />
        <FormFooter
          submitLabel={t('decisions.reopen')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={onClose}
          disabledReason={form.values.reason.trim() === '' ? t('decisions.sayWhy') : undefined}
        />
      </form>
    </ModalFrame>
  );
}
