import type { Upload as UnfinishedUpload } from '@heterosis/contracts/data/file-uploads';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../../components/form/icon-button.tsx';
import { IconChevronDown, IconChevronUp, IconX } from '../../../../components/icons.tsx';
import { shareDone } from '../../../../lib/format/progress.ts';
import { useProjectId } from '../../../../lib/session/current.ts';
import { fileQuery } from '../files.api.ts';
import { InterruptedUpload } from './interrupted-upload.tsx';
import { UploadRow } from './upload-row.tsx';
import classes from './upload-tray.module.css';
import { interruptedUploadsQuery } from './uploads.api.ts';
import { dismissEnded, dismissUpload, isActive, type Upload, useUploads } from './uploads.ts';
import { useAnnounceUploads } from './use-announce-uploads.ts';

const NARROW_PX = 768;

/** Uploads of this tab and, inside a project, those that broke off: a list in the corner of every page. */
export function UploadTray() {
  const projectId = useProjectId();
  const uploads = useUploads();
  const client = useQueryClient();
  const page = useLocation({ select: ({ pathname }) => pathname });
  const interrupted = useQuery({ ...interruptedUploadsQuery(projectId ?? ''), enabled: projectId !== undefined });

  useAnnounceUploads(uploads);

  // Who goes on to another page has seen what is ready, and who opens a file sees its report; what failed or is under
  // way stays.
  // Depends on the page only: it is the change of page that counts.
  useEffect(() => {
    for (const { id, projectId: project, uploadId, state } of uploads) {
      if (state !== 'sent' || uploadId === undefined) continue;
      const status = client.getQueryData(fileQuery(project, uploadId).queryKey)?.status;
      const isReported = status === 'INVALID' && page.endsWith(`/files/${uploadId}`);
      if (status?.startsWith('READY') || isReported) dismissUpload(id);
    }
  }, [page]);

  const ours = new Set(uploads.map(({ uploadId }) => uploadId));
  const broken = (interrupted.data ?? []).filter(({ id }) => !ours.has(id));
  if (uploads.length + broken.length === 0) return null;
  const isAside = /\/files\/[^/]+$/.test(page);
  return <Tray key={String(isAside)} uploads={uploads} broken={broken} isAside={isAside} />;
}

function Tray(props: {
  uploads: readonly Upload[];
  broken: readonly UnfinishedUpload[];
  /** On the page of a file, whose report it may not cover. */
  isAside: boolean;
}) {
  const { uploads, broken, isAside } = props;
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(() => !isAside && window.innerWidth >= NARROW_PX);
  const titleId = useId();
  const listId = useId();
  const foldId = useId();
  const active = uploads.filter(isActive);
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const summary =
    active.length > 0
      ? t('files.tray.active', { count: active.length })
      : failed > 0
        ? t('files.tray.failed', { count: failed })
        : uploads.length > 0
          ? t('files.tray.sent', { count: uploads.length })
          : t('files.tray.interrupted', { count: broken.length });
  const done = active.reduce((sum, { sent }) => sum + sent, 0);
  const total = active.reduce((sum, { size }) => sum + size, 0);
  return (
    <section className={classes.tray} aria-labelledby={titleId} data-upload-tray={isAside ? 'aside' : 'corner'}>
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {t('files.tray.title')}
        </h2>
        <span className={classes.summary} role="status">
          {summary}
        </span>
        <IconButton
          id={foldId}
          label={isOpen ? t('files.tray.fold') : t('files.tray.unfold')}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </IconButton>
        {active.length === 0 && uploads.length > 0 && (
          <IconButton label={t('files.tray.clear')} onClick={dismissEnded}>
            <IconX size={18} />
          </IconButton>
        )}
      </div>
      {!isOpen && active.length > 0 && (
        <div className={classes.line} style={{ inlineSize: `${shareDone(done, total) * 100}%` }} />
      )}
      <ul id={listId} className={classes.list} hidden={!isOpen}>
        {broken.map((upload) => (
          <InterruptedUpload key={upload.id} upload={upload} onLeave={() => keepFocus(foldId)} />
        ))}
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onLeave={() => keepFocus(foldId)} />
        ))}
      </ul>
    </section>
  );
}

/** The entry whose button was pressed is gone, perhaps with the whole list: the focus stays near it. */
function keepFocus(id: string): void {
  requestAnimationFrame(() => (document.getElementById(id) ?? document.getElementById('main'))?.focus());
}
