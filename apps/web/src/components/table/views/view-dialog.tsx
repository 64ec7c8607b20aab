import type { TableView, ViewContent } from '@heterosis/contracts/people/table-views';
import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../lib/browser/toast.ts';
import { useSubmission } from '../../../lib/form/form.ts';
import { ModalFrame } from '../../dialog/modal-frame.tsx';
import formClasses from '../../form/form.module.css';
import { FormFooter } from '../../form/form-footer.tsx';
import { useTableViewMutations } from './table-views.api.ts';
import type { SavedViews } from './use-saved-view.ts';

/** Saves what a table shows under a name, or changes name, sharing and default of the view that it shows. */
export function ViewDialog(props: {
  projectId: string;
  rights: NonNullable<SavedViews['rights']>;
  table: string;
  content: ViewContent;
  /** Absent: a new one. */
  view: TableView | undefined;
  onSaved: (view: TableView) => void;
  close: () => void;
}) {
  const { projectId, rights, table, content, view, onSaved, close } = props;
  const { t } = useTranslation();
  const { create, update } = useTableViewMutations(projectId);
  const form = useForm({
    initialValues: {
      name: view?.name ?? '',
      is_shared: view?.is_shared ?? false,
      is_default: view?.is_default ?? false,
    },
  });
  const { name, is_shared, is_default } = form.values;
  const mayDefault = !is_shared || rights.may_set_default;
  const submission = useSubmission(
    form,
    () => {
      const values = { name, is_shared, ...(mayDefault ? { is_default } : {}) };
      return view ? update.mutateAsync({ id: view.id, ...values }) : create.mutateAsync({ table, content, ...values });
    },
    (saved) => {
      showToast({ text: t('tableViews.saved', { name: saved.name }) });
      onSaved(saved);
      close();
    },
  );
  return (
    <ModalFrame title={t(view ? 'tableViews.editTitle' : 'tableViews.newTitle')} onClose={close} size="md">
      <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
        {view === undefined && <p className="hx-muted">{t('tableViews.what')}</p>}
        <TextInput label={t('tableViews.name')} data-autofocus maxLength={255} {...form.getInputProps('name')} />
        {rights.may_share && (
          <Radio.Group
            label={t('tableViews.who')}
            value={is_shared ? 'project' : 'me'}
            onChange={(who) => form.setFieldValue('is_shared', who === 'project')}
          >
            <Stack gap="xs" mt={4}>
              <Radio value="me" label={t('tableViews.onlyMe')} />
              <Radio value="project" label={t('tableViews.everybody')} />
            </Stack>
          </Radio.Group>
        )}
        <Checkbox
          label={t(is_shared ? 'tableViews.makeDefaultForAll' : 'tableViews.makeDefault')}
          description={mayDefault ? undefined : t('tableViews.managersChoose')}
          disabled={!mayDefault}
          checked={mayDefault ? is_default : (view?.is_default ?? false)}
          onChange={(event) => form.setFieldValue('is_default', event.currentTarget.checked)}
        />
        <FormFooter
          submitLabel={t(view ? 'action.saveChanges' : 'tableViews.save')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={name.trim() === '' ? t('form.nameRequired') : undefined}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
