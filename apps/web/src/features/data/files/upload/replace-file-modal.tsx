import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { TemplateLink } from '../../../../components/form/template-link.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import type { ModalAboutProps } from '../../../../lib/browser/modal.ts';
import { formatBytes } from '../../../../lib/format/format.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { fileQuery, filesQuery } from '../files.api.ts';
import { FileDrop } from './file-drop.tsx';
import { sizeProblem } from './largest-file.ts';
import classes from './upload-files-modal.module.css';
import { planNames, replacementName } from './upload-names.ts';
import { startUploads } from './uploads.ts';

/**
 * A corrected file in the place of an invalid one, `id`: same folder and kind, and the same name unless another is
 * typed.
 */
export function ReplaceFileModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { data: old, error } = useQuery(fileQuery(projectId, id));
  const here = useQuery({
    ...filesQuery(projectId, { folderId: old?.folder_id ?? null }),
    enabled: old !== undefined,
  });
  const [chosen, setChosen] = useState<File>();
  const [typedName, setTypedName] = useState<string>();
  const [isStarted, setStarted] = useState(false);

  if (old === undefined)
    return (
      <ModalFrame title={t('files.replace.title')} onClose={close} help="formats#messages">
        {error ? <ErrorNotice error={error} /> : <SkeletonLines lines={4} />}
      </ModalFrame>
    );

  const others = here.data?.filter((one) => one.id !== old.id) ?? [];
  const fileName = chosen === undefined ? old.name : replacementName(old.name, chosen.name);
  const [planned] = planNames([{ fileName, typedName }], new Set(others.map(({ name }) => name.toLowerCase())));
  const problem = chosen && sizeProblem(chosen, old.file_type);
  const reason =
    old.status !== 'INVALID'
      ? t('files.replace.notInvalid')
      : chosen === undefined
        ? t('files.replace.chooseFirst')
        : problem || planned?.problem
          ? t('files.upload.seeTo', { name: chosen.name })
          : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog takes a moment to go; a second click must not send everything again.
    if (reason || isStarted || chosen === undefined) return;
    setStarted(true);
    startUploads([
      {
        projectId,
        folderId: old.folder_id,
        fileType: old.file_type,
        name: planned?.name ?? fileName,
        file: chosen,
        replaces: old.id,
      },
    ]);
    void close();
  };

  return (
    <ModalFrame title={t('files.replace.title')} onClose={close} help="formats#messages">
      <form className={formClasses.form} onSubmit={submit}>
        <p>{t('files.replace.text', { name: old.name, type: t(`files.type.${old.file_type ?? 'other'}`) })}</p>
        <FileDrop
          label={chosen ? t('files.replace.chooseOther') : t('files.replace.choose')}
          multiple={false}
          isSmall={chosen !== undefined}
          onFiles={([file]) => {
            if (file) setChosen(file);
          }}
        />
        {chosen === undefined && old.file_type !== null && <TemplateLink kind={old.file_type} />}
        {chosen && (
          <>
            <p className={classes.name} role="status">
              <span className={classes.nameText} title={chosen.name}>
                {chosen.name}
              </span>{' '}
              <span className={classes.size}>{formatBytes(chosen.size)}</span>
            </p>
            {problem && (
              <p className={classes.problem} role="alert">
                {t(`files.upload.${problem}`)}
              </p>
            )}
            <TextInput
              label={t('files.fileName')}
              maxLength={255}
              value={typedName ?? planned?.name ?? ''}
              error={planned?.problem && t(`files.upload.name.${planned.problem}`)}
              onChange={(event) => setTypedName(event.currentTarget.value)}
            />
          </>
        )}
        <FormFooter
          submitLabel={t('files.replace.title')}
          isPending={isStarted}
          disabledReason={reason}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
