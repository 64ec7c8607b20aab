import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { useSubmission } from '../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { FileField, fileQuery } from '../files/index.ts';
import { afterSaving } from './after-saving.ts';
import { useTrialMutations } from './trials.api.ts';
import classes from './trials.module.css';

/** Opens a phenotype file with plots as trials, one an environment; `id` is the file, where it is known. */
export function OpenTrialsModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery({ ...fileQuery(projectId, id ?? ''), enabled: id !== undefined });
  return (
    <ModalFrame title={t('trials.openFile')} onClose={close} size="md">
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isLoading ? (
        <SkeletonLines lines={4} />
      ) : (
        <OpenTrialsForm projectId={projectId} file={query.data} close={close} />
      )}
    </ModalFrame>
  );
}

type Chosen = { id: string; name: string };

function OpenTrialsForm(props: { projectId: string; file: Chosen | undefined; close: ModalProps['close'] }) {
  const { projectId, file, close } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { openFile } = useTrialMutations(projectId);
  const form = useForm({ initialValues: { file_id: file, season: '', location_name: '' } });
  const submission = useSubmission(
    form,
    ({ file_id, season, location_name }) =>
      openFile.mutateAsync({
        file_id: file_id?.id ?? '',
        ...(season.trim() === '' ? {} : { season: season.trim() }),
        ...(location_name.trim() === '' ? {} : { location_name: location_name.trim() }),
      }),
    async ({ data }) => {
      showToast({ text: t('trials.opened', { count: data.length, name: data[0]?.name }) });
      await close();
      await navigate(afterSaving(projectId, data));
    },
  );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <p className="hx-muted">{t('trials.openFileText')}</p>
      <FileField
        label={t('runs.phenotype')}
        projectId={projectId}
        types={['PHENOTYPE']}
        isPreferred={({ format }) => format === 'wide-design'}
        value={form.values.file_id}
        onChange={({ id, name }) => form.setFieldValue('file_id', { id, name })}
        error={form.errors.file_id}
      />
      <div className={classes.pairs}>
        <TextInput
          label={t('trials.season')}
          description={t('trials.openSeasonHint')}
          maxLength={50}
          {...form.getInputProps('season')}
        />
        <TextInput
          label={t('trials.place')}
          description={t('trials.openPlaceHint')}
          maxLength={255}
          {...form.getInputProps('location_name')}
        />
      </div>
      <FormFooter
        submitLabel={t('trials.openFile')}
        isPending={submission.isPending}
        problem={submission.problem}
        onCancel={close}
        disabledReason={form.values.file_id === undefined ? t('word.chooseAFile') : undefined}
      />
    </form>
  );
}
