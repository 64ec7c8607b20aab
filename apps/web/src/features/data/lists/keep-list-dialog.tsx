import type { ListKind } from '@heterosis/contracts/data/lists';
import { Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { showToast } from '../../../lib/browser/toast.ts';
import { useSubmission } from '../../../lib/form/form.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { namesIn } from '../../../lib/format/names-in.ts';
import { listsQuery, useListMutations } from './lists.api.ts';

/** Keeps names with the project: as a new list, or at the end of one that is there. */
export function KeepListDialog(props: {
  projectId: string;
  kind: ListKind;
  /** Absent: they are typed or pasted. */
  names?: readonly string[];
  /** What was pasted on the page. */
  pasted?: string;
  close: () => void;
}) {
  const { projectId, kind, names, pasted = '', close } = props;
  const { t } = useTranslation();
  const lists = useQuery(listsQuery(projectId, kind)).data ?? [];
  const { create, update } = useListMutations(projectId);
  const form = useForm({ initialValues: { name: '', list: null as string | null, members: pasted } });
  const { name, list } = form.values;
  const members = names === undefined ? namesIn(form.values.members) : [...names];
  const submission = useSubmission(
    form,
    () =>
      list === null ? create.mutateAsync({ name, kind, members }) : update.mutateAsync({ id: list, add: members }),
    (kept) => {
      showToast({ text: t('lists.kept', { name: kept.name, count: kept.size, formatted: formatCount(kept.size) }) });
      close();
    },
  );
  const missing =
    list === null && name.trim() === ''
      ? t('form.nameRequired')
      : members.length === 0
        ? t('lists.needNames')
        : undefined;
  return (
    <ModalFrame title={t(names === undefined ? `lists.new.${kind}` : 'lists.keep')} onClose={close}>
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        {names !== undefined && (
          <p className="hx-muted">
            {t(`lists.names.${kind}`, { count: names.length, formatted: formatCount(names.length) })}
          </p>
        )}
        <TextInput
          label={t('lists.name')}
          data-autofocus
          maxLength={255}
          disabled={list !== null}
          {...form.getInputProps('name')}
        />
        {names === undefined ? (
          <Textarea
            label={t(`lists.members.${kind}`)}
            description={t('exclusions.nameALine')}
            autosize
            minRows={4}
            maxRows={12}
            {...form.getInputProps('members')}
          />
        ) : (
          lists.length > 0 && (
            <Select
              label={t('lists.addTo')}
              placeholder={t('lists.newOne')}
              data={lists.map(({ id, name: label }) => ({ value: id, label }))}
              clearable
              searchable
              {...form.getInputProps('list')}
            />
          )
        )}
        <FormFooter
          submitLabel={t(list === null ? 'lists.keep' : 'lists.add')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={missing}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
