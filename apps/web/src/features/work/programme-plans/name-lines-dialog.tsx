import { MAX_MEMBERS } from '@heterosis/contracts/data/lists';
import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import {
  lineNames,
  type ProgrammePlan,
  type ProgrammePlanStep,
  stepListBody,
} from '@heterosis/contracts/work/programmes/programme-plans';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import type { PlanMutations } from './programme-plans.api.ts';

const LINES_EACH = { min: 1, max: MAX_MEMBERS, isWhole: true };

/** Asks what the lines of a step are called: they are added to the germplasm list, and kept as a list. */
export function NameLinesDialog(props: {
  run: Pick<ProgrammeDetail, 'name'>;
  plan: ProgrammePlan;
  step: ProgrammePlanStep;
  mutations: Pick<PlanMutations, 'keepList'>;
  /** Gets the id of the list. */
  onKept?: ((list: string) => void) | undefined;
  close: () => void;
}) {
  const { run, plan, step, mutations, onKept, close } = props;
  const { t } = useTranslation();
  const source = plan.steps.find((one) => one.step === step.source);
  const crosses = source?.kind === 'CROSSES' ? source.crosses : (source?.individuals ?? 1);
  const form = useForm({
    initialValues: {
      line_names: lineNames(run.name, step),
      lines_each: Math.max(1, Math.round(step.individuals / Math.max(1, crosses))) as FieldNumber,
    },
  });
  const parents = source?.links.findLast(
    ({ kind, name, list_id: list }) => name !== null && (kind === 'crossing_plan' || list !== null),
  );
  const isKnown = parents !== undefined;
  const body = {
    line_names: form.values.line_names,
    ...(isKnown && form.values.lines_each !== '' && { lines_each: numberOf(form.values.lines_each) }),
  };
  const submission = useSubmission(
    form,
    () => mutations.keepList.mutateAsync({ step: step.step, ...body }),
    (kept) => {
      close();
      const list = kept.steps.find((one) => one.step === step.step)?.links.findLast((link) => link.list_id !== null);
      if (list?.list_id) onKept?.(list.list_id);
    },
  );
  const isWrong = Object.keys(schemaErrors(stepListBody, body)).length > 0;
  return (
    <ModalFrame title={t('programmePlans.make.names')} onClose={close} size="md" unsaved={{ isDirty: form.isDirty() }}>
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <p className="hx-muted">{t('programmePlans.namesText')}</p>
        <p>
          {isKnown
            ? t('programmePlans.parentsFrom', { name: parents.name })
            : t('programmePlans.parentsUnknown', { count: step.individuals })}
        </p>
        <TextInput
          label={t('programmePlans.lineNames')}
          description={t('programmePlans.lineNamesHint')}
          data-autofocus
          maxLength={255}
          {...form.getInputProps('line_names')}
        />
        {isKnown && (
          <NumberField
            label={t('programmePlans.linesEach')}
            limits={LINES_EACH}
            {...form.getInputProps('lines_each')}
          />
        )}
        <FormFooter
          submitLabel={t('programmePlans.addLines')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={isWrong ? t('form.correctFields') : undefined}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
