import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { formatBytes } from '../../lib/format.ts';
import { cancelUpload, dismissUpload, useUploads } from './uploads.ts';

/** Uploads of this tab: under way, failed, cancelled. Finished ones stand in the table. */
export function UploadList({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const uploads = useUploads(projectId).filter((upload) => upload.state !== 'done');
  if (uploads.length === 0) return null;
  return (
    <section aria-label={t('files.upload.running')}>
      {uploads.map((upload) => {
        const dismiss = (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => dismissUpload(upload.id)}>
            {t('files.upload.dismiss')}
          </Button>
        );
        if (upload.state === 'failed') {
          return (
            <div key={upload.id}>
              <strong>{upload.name}</strong> {dismiss}
              <ErrorNotice error={upload.problem} />
            </div>
          );
        }
        if (upload.state === 'cancelled') {
          return (
            <Notice key={upload.id}>
              {t('files.upload.cancelled', { name: upload.name })} {dismiss}
            </Notice>
          );
        }
        return (
          <ProgressBar
            key={upload.id}
            label={upload.name}
            done={upload.sent}
            total={upload.size}
            startedAt={upload.startedAt}
            detail={`${formatBytes(upload.sent)} / ${formatBytes(upload.size)}`}
            onCancel={() => cancelUpload(upload.id)}
          />
        );
      })}
    </section>
  );
}
