import { type FileDetail, fileType } from '@heterosis/contracts/files';
import { Button, NativeSelect } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import classes from './check-as-type.module.css';
import { useFileMutations } from './files.api.ts';

/** For a file that was uploaded under the wrong type, or under none: its bytes are right as they are. */
export function CheckAsType({ projectId, file }: { projectId: string; file: FileDetail }) {
  const { t } = useTranslation();
  const { check } = useFileMutations(projectId);
  const others = fileType.options.filter((type) => type !== file.file_type);
  const [type, setType] = useState<string>(others[0] ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const chosen = fileType.safeParse(type);
    if (chosen.success && !check.isPending) check.mutate({ id: file.id, file_type: chosen.data });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <NativeSelect
        label={t('files.checkAs.label')}
        value={type}
        onChange={(event) => setType(event.currentTarget.value)}
        data={others.map((value) => ({ value, label: t(`files.type.${value}`) }))}
      />
      <Button type="submit" variant="default" loading={check.isPending}>
        {t('files.checkAs.action')}
      </Button>
      {check.error && <ErrorNotice error={check.error} />}
    </form>
  );
}
