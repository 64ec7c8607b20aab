import type { FileDetail } from '@heterosis/contracts/data/files';
import type { TFunction } from 'i18next';

/** What the check of a file is at, or how many go before it. */
export function checkInWords({ progress }: Pick<FileDetail, 'progress'>, t: TFunction): string {
  if (progress === null) return t('progress.queued');
  if (progress.stage === 'queued') return t('files.place', { count: progress.runs_before ?? 0 });
  return t('files.checking', { stage: t(`runs.stage.${progress.stage}`) });
}
