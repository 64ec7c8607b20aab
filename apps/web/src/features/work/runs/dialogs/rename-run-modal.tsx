import { name as nameSchema } from '@heterosis/contracts/common';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { EditDialog } from '../../../../components/dialog/edit-dialog.tsx';
import { DescriptionField, SaveForm } from '../../../../components/dialog/save-form.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { announceRenamed } from '../../../../lib/browser/undo-toast.ts';
import { schemaErrors, useSubmission } from '../../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { type NamedRun, namedRunEndpoints, useNamedRun } from '../named-run.api.ts';
import { useRunMutations } from '../use-run-mutations.ts';

const schema = z.object({ name: nameSchema });

/** Name and description of a run of any kind. */
export function RenameRunModal({ kind, close, id }: ModalAboutProps & { kind: RunKind }) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useNamedRun(kind, projectId, id);
  return (
    <EditDialog title={t(`${RUN_KINDS[kind].path}.renameTitle`)} close={close} query={query} size="sm" lines={3}>
      {(run) => <RunForm kind={kind} projectId={projectId} run={{ ...run, id }} close={close} />}
    </EditDialog>
  );
}

function RunForm(props: {
  kind: RunKind;
  projectId: string;
  run: NamedRun & { id: string };
  close: ModalAboutProps['close'];
}) {
  const { kind, projectId, run, close } = props;
  const { t } = useTranslation();
  const { update } = useRunMutations(projectId, { kind, endpoints: namedRunEndpoints(kind) });
  const form = useForm({
    initialValues: { name: run.name, description: run.description ?? '' },
    validate: (values) => schemaErrors(schema, values),
  });
  const submission = useSubmission(
    form,
    ({ name, description }) => update.mutateAsync({ id: run.id, name, description: description.trim() || null }),
    ({ name }) => {
      announceRenamed(t, { from: run.name, to: name }, (before) => update.mutateAsync({ id: run.id, name: before }));
      return close();
    },
  );
  return (
    <SaveForm submission={submission} onCancel={close}>
      <TextInput label={t('column.name')} data-autofocus autoFocus maxLength={255} {...form.getInputProps('name')} />
      <DescriptionField input={form.getInputProps('description')} />
    </SaveForm>
  );
}
