import { checkFileBody, type FileDetail, type FileType, fileType } from '@heterosis/contracts/data/files';
import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { schemaErrors, useSubmission } from '../../../../lib/form/form.ts';
import { useFileMutations } from '../files.api.ts';
import classes from './check-as-type.module.css';

/**
 * For a file that was uploaded under the wrong type, or under none: its bytes are right as they are. `found` is the
 * type that its check took it for.
 */
export function CheckAsType(props: { projectId: string; file: FileDetail; found?: FileType | undefined }) {
  const { projectId, file, found } = props;
  const { t } = useTranslation();
  const { check } = useFileMutations(projectId);
  const form = useForm<{ file_type: FileType | undefined }>({
    initialValues: { file_type: found ?? file.file_type ?? fileType.options[0] },
    validate: (values) => schemaErrors(checkFileBody, values),
  });
  const submission = useSubmission(
    form,
    (values) => check.mutateAsync({ id: file.id, ...values }),
    () => {},
  );
  return (
    <form className={classes.form} onSubmit={submission.handleSubmit} noValidate>
      <NativeSelect
        label={t('files.checkAs.label')}
        data={fileType.options.map((value) => ({ value, label: t(`files.type.${value}`) }))}
        {...form.getInputProps('file_type')}
      />
      <Button
        type="submit"
        variant="default"
        aria-busy={submission.isPending}
        disabled={form.values.file_type === file.file_type}
      >
        {t('files.checkAs.action')}
      </Button>
      {submission.problem && <ErrorNotice error={submission.problem} />}
    </form>
  );
}
