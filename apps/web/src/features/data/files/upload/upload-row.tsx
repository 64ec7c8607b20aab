import { Button, Progress, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../../components/form/icon-button.tsx';
import { IconX } from '../../../../components/icons.tsx';
import { formatBytes, formatDuration } from '../../../../lib/format/format.ts';
import { shareDone } from '../../../../lib/format/progress.ts';
import { checkInWords } from '../check/check-in-words.ts';
import { FileStateBadge } from '../file-state.tsx';
import { fileQuery } from '../files.api.ts';
import { freeName } from './upload-names.ts';
import classes from './upload-tray.module.css';
import { cancelUpload, dismissUpload, retryUpload, type Upload } from './uploads.ts';

/** One upload of this tab, from waiting to the end of its check. */
export function UploadRow({ upload, onLeave }: { upload: Upload; onLeave: () => void }) {
  const { t } = useTranslation();
  const { id, state, name, uploadId, projectId } = upload;
  if (state === 'sent' && uploadId !== undefined)
    return (
      <SentFile
        projectId={projectId}
        fileId={uploadId}
        name={name}
        onDismiss={() => {
          dismissUpload(id);
          onLeave();
        }}
      />
    );
  return (
    <li className={classes.row}>
      <div className={classes.top}>
        <span className={classes.name} title={name}>
          {name}
        </span>
        <IconButton
          label={t('files.tray.cancel', { name })}
          onClick={() => {
            cancelUpload(id);
            onLeave();
          }}
        >
          <IconX size={16} />
        </IconButton>
      </div>
      {state === 'failed' ? <Failure upload={upload} /> : <Transfer upload={upload} />}
    </li>
  );
}

function Transfer({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const { state, name, sent, size } = upload;
  const amount = t('files.tray.amount', { sent: formatBytes(sent), size: formatBytes(size) });
  return (
    <>
      <Progress
        value={shareDone(sent, size) * 100}
        size="sm"
        aria-label={name}
        color={state === 'paused' ? 'gray' : 'leaf'}
        transitionDuration={150}
      />
      <span className={classes.figures}>
        {state === 'waiting' && t('files.tray.waiting', { size: formatBytes(size) })}
        {state === 'preparing' && t('files.tray.preparing')}
        {state === 'finishing' && t('files.tray.finishing')}
        {state === 'sending' && [amount, ...pace(upload, t)].join(' · ')}
        {state === 'paused' && amount}
      </span>
      {state === 'paused' && (
        <>
          <p className={classes.note}>{navigator.onLine ? t('files.tray.unreachable') : t('files.tray.offline')}</p>
          <div className={classes.buttons}>
            <Button size="compact-xs" variant="default" onClick={() => retryUpload(upload.id)}>
              {t('word.tryNow')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

const SHORTEST_ESTIMATE_SECONDS = 10;

function pace({ sent, size, bytesPerSecond }: Upload, t: TFunction): string[] {
  if (bytesPerSecond === undefined || bytesPerSecond <= 0) return [];
  const seconds = Math.ceil((size - sent) / bytesPerSecond);
  const left = seconds >= SHORTEST_ESTIMATE_SECONDS ? [t('progress.left', { time: formatDuration(seconds) })] : [];
  return [t('files.tray.speed', { amount: formatBytes(bytesPerSecond) }), ...left];
}

function Failure({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const { id, problem } = upload;
  if (problem?.code === 'files/name-taken') return <OtherName upload={upload} />;
  return (
    <>
      <p className={classes.problem} role="alert">
        {problem?.detail}
      </p>
      <div className={classes.buttons}>
        <Button size="compact-xs" variant="default" onClick={() => retryUpload(id)}>
          {t('error.retry')}
        </Button>
      </div>
    </>
  );
}

/** The bytes are there; only the name was taken meanwhile. */
function OtherName({ upload: { id, name, problem } }: { upload: Upload }) {
  const { t } = useTranslation();
  const [other, setOther] = useState(() => freeName(name, new Set()));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (other.trim() !== '') retryUpload(id, other.trim());
  };
  return (
    <form onSubmit={submit}>
      <p className={classes.problem} role="alert">
        {problem?.detail}
      </p>
      <div className={classes.rename}>
        <TextInput
          size="xs"
          aria-label={t('files.fileName')}
          maxLength={255}
          value={other}
          onChange={(event) => setOther(event.currentTarget.value)}
        />
        <Button size="xs" variant="default" type="submit" disabled={other.trim() === ''}>
          {t('files.tray.useName')}
        </Button>
      </div>
    </form>
  );
}

/** Its check is the server's; one may leave. */
function SentFile(props: { projectId: string; fileId: string; name: string; onDismiss: () => void }) {
  const { projectId, fileId, name, onDismiss } = props;
  const { t } = useTranslation();
  const nameId = useId();
  const { data: file, error } = useQuery(fileQuery(projectId, fileId));
  const isChecking = file?.status === 'UPLOADED' || file?.status === 'CHECKING';
  return (
    <li className={classes.row}>
      <div className={classes.top}>
        <span id={nameId} className={classes.name} title={name}>
          {file?.name ?? name}
        </span>
        {file && error === null && <FileStateBadge file={file} />}
        {error === null && (
          <Link
            to="/projects/$projectId/files/$fileId"
            params={{ projectId, fileId }}
            className={classes.open}
            aria-describedby={nameId}
          >
            {t('files.tray.open')}
          </Link>
        )}
        <IconButton label={t('files.tray.dismiss', { name })} onClick={onDismiss}>
          <IconX size={16} />
        </IconButton>
      </div>
      {file && isChecking && (
        <>
          <Progress
            value={shareDone(file.progress?.done ?? 0, file.progress?.total ?? 0) * 100}
            size="sm"
            aria-label={t('files.tray.checkOf', { name })}
            transitionDuration={150}
          />
          <span className={classes.figures}>{checkInWords(file, t)}</span>
        </>
      )}
      {file?.status === 'INVALID' && (
        <p className={classes.note}>{t('files.tray.invalid', { count: file.problem_totals.errors })}</p>
      )}
      {error !== null && <p className={classes.note}>{t('files.tray.gone')}</p>}
    </li>
  );
}
