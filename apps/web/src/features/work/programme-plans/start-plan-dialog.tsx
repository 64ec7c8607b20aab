import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import { type ProgrammePlan, startPlanBody } from '@heterosis/contracts/work/programmes/programme-plans';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { usePlanMutations } from './programme-plans.api.ts';

/** Asks which scheme is started and when; of one that is started, when it began. */
export function StartPlanDialog(props: {
  projectId: string;
  run: ProgrammeDetail;
  plan?: ProgrammePlan;
  close: () => void;
}) {
  const { projectId, run, plan, close } = props;
  const { t } = useTranslation();
  const { start, move } = usePlanMutations(projectId, run.id);
  const { schemes, optimise } = run.provenance.parameters;
  const form = useForm({
    initialValues: {
      scheme: String(bestScheme(run)),
      starts_on: plan?.starts_on ?? new Date().toISOString().slice(0, 10),
    },
  });
  const body = { scheme: Number(form.values.scheme), starts_on: form.values.starts_on };
  const submission = useSubmission(
    form,
    () => (plan === undefined ? start.mutateAsync(body) : move.mutateAsync({ starts_on: body.starts_on })),
    close,
  );
  const isWrong = Object.keys(schemaErrors(startPlanBody, body)).length > 0;
  const title = t(plan === undefined ? 'programmePlans.start' : 'programmePlans.move');
  return (
    <ModalFrame title={title} onClose={close} size="md">
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <p className="hx-muted">{t(plan === undefined ? 'programmePlans.startText' : 'programmePlans.moveText')}</p>
        {plan === undefined && schemes.length > 1 && (
          <NativeSelect
            label={t('programmes.scheme')}
            description={t('programmePlans.schemeHint')}
            data={schemes.map(({ name }, i) => ({ value: String(i), label: name }))}
            {...form.getInputProps('scheme')}
          />
        )}
        {plan === undefined && optimise !== undefined && <p>{t('programmePlans.bestNumbers')}</p>}
        <TextInput
          type="date"
          label={t('programmePlans.startsOn')}
          description={t('programmePlans.startsOnHint')}
          data-autofocus
          {...form.getInputProps('starts_on')}
        />
        <FormFooter
          submitLabel={title}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={isWrong ? t('programmePlans.needDate') : undefined}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}

/** The one that gained most. */
function bestScheme({ report, provenance }: ProgrammeDetail): number {
  const gains = provenance.parameters.schemes.map((_, i) => report?.schemes[i]?.gain?.mean ?? Number.NEGATIVE_INFINITY);
  return Math.max(0, gains.indexOf(Math.max(...gains)));
}
