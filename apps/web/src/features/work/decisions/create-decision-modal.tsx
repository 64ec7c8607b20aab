import { createDecisionBody, decisionSourceKind } from '@heterosis/contracts/work/decisions';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { Autocomplete, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { useLinkMade } from '../../../lib/browser/made-for.ts';
import { type ModalProps, useModal } from '../../../lib/browser/modal.ts';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { schemaErrors, useSubmission } from '../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { listQuery } from '../../data/lists/index.ts';
import { decisionsQuery, sourcesQuery, useDecisionMutations } from './decisions.api.ts';

const BEST = { min: 1, max: 2000, isWhole: true };
const DEFAULT_BEST = 10;

/** Puts candidates on the table: of the list or run that `id` and `given` name, or of one that is chosen here. */
export function CreateDecisionModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { given } = useModal();
  const navigate = useNavigate();
  const decisions = useQuery(decisionsQuery(projectId));
  const sources = useQuery(sourcesQuery(projectId));
  const { create } = useDecisionMutations(projectId);
  const linkMade = useLinkMade(projectId);
  const [kind] = decisionSourceKind.options.filter((one) => one === given[0]);
  const named = id === undefined || kind === undefined ? null : `${kind} ${id}`;
  const form = useForm({
    initialValues: {
      ...{ name: undefined as string | undefined, source: named, check: '', best: DEFAULT_BEST as FieldNumber },
    },
  });
  const source = sources.data?.find(({ key }) => key === form.values.source);
  const list = useQuery({ ...listQuery(projectId, source?.id ?? ''), enabled: source?.kind === 'list' });
  const name = form.values.name ?? freeName(source?.name ?? '', decisions.data ?? []);
  const body = {
    ...{ name, source: { kind: source?.kind ?? 'list', id: source?.id ?? '' } },
    settings: { check: form.values.check.trim() || null, best: numberOf(form.values.best) },
  };
  const submission = useSubmission(
    form,
    () => create.mutateAsync(body),
    async ({ id: decisionId }) => {
      await linkMade('decision', [decisionId]);
      await close();
      await navigate({ to: '/projects/$projectId/decisions/$decisionId', params: { projectId, decisionId } });
    },
  );
  const errors = schemaErrors(createDecisionBody, body);
  const missing = source === undefined ? t('decisions.chooseSource') : Object.values(errors)[0];
  return (
    <ModalFrame title={t('decisions.new')} onClose={close} size="md">
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        <p className="hx-muted">{t('decisions.newText')}</p>
        <Select
          label={t('decisions.source')}
          placeholder={t('decisions.chooseSource')}
          data={decisionSourceKind.options.flatMap((group) => {
            const items = (sources.data ?? []).filter((one) => one.kind === group);
            const label = group === 'list' ? t('nav.lists') : t(`nav.${RUN_KINDS[group].path}`);
            return items.length === 0
              ? []
              : [{ group: label, items: items.map(({ key, name: text }) => ({ value: key, label: text })) }];
          })}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('decisions.noSource')}
          {...form.getInputProps('source')}
        />
        {sources.error && <ErrorNotice error={sources.error} />}
        <TextInput label={t('decisions.name')} maxLength={255} {...form.getInputProps('name')} value={name} />
        <Autocomplete
          label={t('decisions.check')}
          description={t('decisions.checkHint')}
          data={[...new Set(list.data?.members)]}
          limit={50}
          maxLength={255}
          {...form.getInputProps('check')}
        />
        <NumberField
          label={t('decisions.best')}
          description={t('decisions.bestHint')}
          limits={BEST}
          {...form.getInputProps('best')}
        />
        <FormFooter
          submitLabel={t('decisions.start')}
          isPending={submission.isPending}
          problem={submission.problem}
          onCancel={close}
          disabledReason={missing}
        />
      </form>
    </ModalFrame>
  );
}

/** The name of the source, with a number where a decision has it already. */
function freeName(name: string, decisions: readonly { name: string }[]): string {
  const taken = new Set(decisions.map((one) => one.name.toLowerCase()));
  if (!taken.has(name.toLowerCase())) return name;
  let k = 2;
  while (taken.has(`${name} ${k}`.toLowerCase())) k++;
  return `${name} ${k}`;
}
