import { fileType } from '@heterosis/contracts/data/files';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { TemplateLink } from '../../../../components/form/template-link.tsx';
import type { ModalProps } from '../../../../lib/browser/modal.ts';
import { formatBytes } from '../../../../lib/format/format.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { FolderSelect } from '../dialogs/folder-select.tsx';
import { filesQuery } from '../files.api.ts';
import { ChosenFile, type ChosenRow } from './chosen-file.tsx';
import { takeDropped } from './dropped-files.ts';
import { FileDrop } from './file-drop.tsx';
import { guessFileType } from './guess-file-type.ts';
import { sizeProblem } from './largest-file.ts';
import classes from './upload-files-modal.module.css';
import { headOf } from './upload-guessed.ts';
import { planNames } from './upload-names.ts';
import { startUploads } from './uploads.ts';

/** `id` is the folder to begin with; absent for the root. */
export function UploadFilesModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const [folderId, setFolderId] = useState<string | null>(id ?? null);
  const [rows, setRows] = useState<ChosenRow[]>([]);
  const [isStarted, setStarted] = useState(false);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const here = useQuery(filesQuery(projectId, { folderId }));
  const taken = new Set(here.data?.map(({ name }) => name.toLowerCase()));
  const names = planNames(
    rows.map(({ file, typedName }) => ({ fileName: file.name, typedName })),
    taken,
  );
  // An empty file stops no other one; a name can be mended here.
  const sent = rows.filter((row) => problemOf(row) === undefined);
  const refused = rows.find((row, index) => problemOf(row) === undefined && names[index]?.problem !== undefined);
  const reason =
    rows.length === 0
      ? t('files.upload.chooseFirst')
      : sent.length === 0
        ? t('files.upload.noneToSend')
        : refused
          ? t('files.upload.seeTo', { name: refused.file.name })
          : undefined;

  const add = async (files: Iterable<File>): Promise<void> => {
    const chosen = await Promise.all(
      [...files].map(async (file) => {
        const guess = guessFileType(file.name, await headOf(file));
        return { id: nextId++, file, type: guess.type, guess, typedName: undefined, reading: {} };
      }),
    );
    setRows((before) => [...before, ...chosen]);
  };
  // Files that were dropped on the page, which opened this dialog for them.
  useEffect(() => {
    const files = takeDropped();
    if (files.length > 0) void add(files);
  }, []);
  const change = (row: ChosenRow, part: Partial<ChosenRow>): void =>
    setRows((before) => before.map((one) => (one.id === row.id ? { ...one, ...part } : one)));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog takes a moment to go; a second click must not send everything again.
    if (reason || isStarted) return;
    setStarted(true);
    startUploads(
      sent.map((row) => ({
        projectId,
        folderId,
        fileType: row.type,
        name: names[rows.indexOf(row)]?.name ?? row.file.name,
        file: row.file,
        reading: row.type === 'GENOTYPE' ? row.reading : {},
      })),
    );
    void close();
  };

  return (
    <ModalFrame title={t('files.upload.title')} help="first-project#upload-files" onClose={close} size="lg">
      <form className={formClasses.form} onSubmit={submit}>
        <FileDrop
          label={rows.length === 0 ? t('files.upload.choose') : t('files.upload.chooseMore')}
          multiple
          isSmall={rows.length > 0}
          buttonRef={chooseButton}
          onFiles={(files) => void add(files)}
        >
          {rows.length === 0 && t('files.upload.formats')}
        </FileDrop>
        {rows.length === 0 && <Templates />}
        {rows.length > 0 && (
          <div>
            <p className={classes.count} role="status">
              {t('files.upload.chosen', {
                count: rows.length,
                size: formatBytes(rows.reduce((sum, { file }) => sum + file.size, 0)),
              })}
            </p>
            <ul className={classes.list}>
              {rows.map((row, index) => (
                <ChosenFile
                  key={row.id}
                  row={row}
                  name={names[index]}
                  problem={problemOf(row)}
                  onChange={(part) => change(row, part)}
                  onRemove={() => {
                    setRows((before) => before.filter((one) => one.id !== row.id));
                    chooseButton.current?.focus();
                  }}
                />
              ))}
            </ul>
          </div>
        )}
        {rows.length > 0 && <FolderSelect projectId={projectId} value={folderId} onChange={setFolderId} />}
        {sent.length > 0 && sent.length < rows.length && (
          <p className="hx-muted">{t('files.upload.leftOut', { count: rows.length - sent.length })}</p>
        )}
        <FormFooter
          submitLabel={rows.length === 0 ? t('files.upload.action') : t('files.upload.start', { count: sent.length })}
          isPending={isStarted}
          disabledReason={reason}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}

/** An example of each type of file. */
function Templates() {
  const { t } = useTranslation();
  return (
    <div className={classes.templates}>
      <span className="hx-muted">{t('template.title')}:</span>
      {fileType.options.map((type) => (
        <TemplateLink key={type} kind={type} />
      ))}
    </div>
  );
}

/** Two files of one name may be chosen; the number tells them apart. */
let nextId = 0;

const problemOf = ({ file, type }: ChosenRow) => sizeProblem(file, type);
