import type { Upload } from '@heterosis/contracts/data/file-uploads';
import { Button, FileButton, Progress } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../../../lib/api/problem.ts';
import { formatBytes } from '../../../../lib/format/format.ts';
import { shareDone } from '../../../../lib/format/progress.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { fingerprintOf } from './sending/file-hash.ts';
import classes from './upload-tray.module.css';
import { discardUpload, startUploads } from './uploads.ts';

/** An upload that a closed tab left behind. A page may not open a file by itself, so that it has to be chosen again. */
export function InterruptedUpload({ upload, onLeave }: { upload: Upload; onLeave: () => void }) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const [problem, setProblem] = useState<string>();
  const [isDiscarding, setDiscarding] = useState(false);
  const name = upload.name ?? t('files.tray.unnamed');

  const goOn = async (file: File): Promise<void> => {
    const isSame = file.size === upload.size_bytes && (await fingerprintOf(file)) === upload.fingerprint;
    if (!isSame) return setProblem(t('files.tray.otherFile', { chosen: file.name, name }));
    setProblem(undefined);
    startUploads([
      {
        projectId,
        folderId: upload.folder_id,
        fileType: upload.file_type,
        name: upload.name ?? file.name,
        file,
        uploadId: upload.id,
        replaces: upload.replaces,
      },
    ]);
  };
  const discard = async (): Promise<void> => {
    setDiscarding(true);
    try {
      await discardUpload(projectId, upload.id, upload.replaces);
      onLeave();
    } catch (error) {
      setProblem(asProblem(error).detail);
      setDiscarding(false);
    }
  };

  return (
    <li className={classes.row}>
      <div className={classes.top}>
        <span className={classes.name} title={name}>
          {name}
        </span>
      </div>
      <Progress
        value={shareDone(upload.received_bytes, upload.size_bytes) * 100}
        size="sm"
        color="gray"
        aria-label={name}
      />
      <p className={classes.note}>
        {t('files.tray.brokeOff', {
          sent: formatBytes(upload.received_bytes),
          size: formatBytes(upload.size_bytes),
        })}
      </p>
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={classes.buttons}>
        <FileButton
          onChange={(file) => {
            if (file) goOn(file).catch((error: unknown) => setProblem(asProblem(error).detail));
          }}
          inputProps={{
            'aria-label': t('files.tray.goOnWith', { name }),
            // Otherwise the same file could not be chosen a second time.
            onClick: (event) => {
              event.currentTarget.value = '';
            },
          }}
        >
          {(props) => (
            <Button size="compact-xs" {...props} aria-label={t('files.tray.goOnWith', { name })}>
              {t('files.tray.goOn')}
            </Button>
          )}
        </FileButton>
        <Button
          size="compact-xs"
          variant="default"
          loading={isDiscarding}
          aria-label={t('files.tray.discardOf', { name })}
          onClick={() => void discard()}
        >
          {t('word.discard')}
        </Button>
      </div>
    </li>
  );
}
