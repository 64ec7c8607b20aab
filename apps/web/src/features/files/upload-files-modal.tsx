import { type FileType, fileType } from '@heterosis/contracts/files';
import { Button, FileButton, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../components/form-footer.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { useProjectId } from '../../lib/current.ts';
import { formatBytes } from '../../lib/format.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { guessFileType } from './guess-file-type.ts';
import classes from './upload-files-modal.module.css';
import { startUploads } from './uploads.ts';

interface Row {
  file: File;
  type: FileType | null;
}

/** FORMATS §1. */
const LARGEST_GENOTYPE_BYTES = 10e9;
const LARGEST_TABLE_BYTES = 200e6;

/** `id` is the folder; absent for the root. */
export function UploadFilesModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useProjectId() ?? '';
  const [rows, setRows] = useState<Row[]>([]);
  const [isOver, setOver] = useState(false);
  const add = (files: Iterable<File>): void =>
    setRows((before) => [...before, ...[...files].map((file) => ({ file, type: guessFileType(file.name) }))]);
  const tooLarge = rows.find(
    (row) =>
      row.file.size > (row.type === 'GENOTYPE' || row.type === null ? LARGEST_GENOTYPE_BYTES : LARGEST_TABLE_BYTES),
  );
  const reason =
    rows.length === 0
      ? t('files.upload.chooseFirst')
      : tooLarge
        ? t('files.upload.tooLarge', { name: tooLarge.file.name })
        : undefined;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason) return;
    startUploads(rows.map((row) => ({ projectId, folderId: id ?? null, fileType: row.type, file: row.file })));
    close();
  };

  return (
    <ModalFrame title={t('files.upload.title')} onClose={close} size="lg">
      <form onSubmit={submit}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button does the same */}
        <div
          className={classes.drop}
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            add(event.dataTransfer.files);
          }}
        >
          <FileButton multiple onChange={add} inputProps={{ 'aria-label': t('files.upload.choose') }}>
            {(props) => (
              <Button variant="default" data-autofocus {...props}>
                {t('files.upload.choose')}
              </Button>
            )}
          </FileButton>
          <p className={classes.hint}>{t('files.upload.drop')}</p>
          <p className={classes.hint}>{t('files.upload.formats')}</p>
        </div>
        {rows.map((row, index) => (
          // Two files of one name may be chosen; the place tells them apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only appended and removed
          <div key={`${index} ${row.file.name}`} className={classes.row}>
            <span className={classes.name}>
              {row.file.name} <span className={classes.size}>{formatBytes(row.file.size)}</span>
            </span>
            <NativeSelect
              size="xs"
              aria-label={t('files.upload.typeOf', { name: row.file.name })}
              value={row.type ?? ''}
              onChange={(event) => {
                const type = fileType.safeParse(event.currentTarget.value);
                setRows(rows.map((one) => (one === row ? { ...row, type: type.success ? type.data : null } : one)));
              }}
              data={[
                ...fileType.options.map((value) => ({ value, label: t(`files.type.${value}`) })),
                { value: '', label: t('files.type.other') },
              ]}
            />
            <IconButton
              label={t('files.upload.leaveOut', { name: row.file.name })}
              onClick={() => setRows(rows.filter((one) => one !== row))}
            >
              <IconX size={16} />
            </IconButton>
          </div>
        ))}
        <FormFooter
          submitLabel={t('files.upload.start', { count: rows.length })}
          isPending={false}
          disabledReason={reason}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}
