import type { PackageImport } from '@heterosis/contracts/data/data-packages';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import { ProgressBar } from '../../../components/page/progress-bar.tsx';
import { formatCount } from '../../../lib/format/format.ts';

/** How far an import is, or what came of it. */
export function PackageImportState({ name, progress, report, error, created_at }: PackageImport) {
  const { t } = useTranslation();
  if (error !== null)
    return (
      <Notice kind="warning">
        {t('packages.failed', { name })} {error.message} {error.action}
      </Notice>
    );
  if (report === null)
    return (
      <ProgressBar
        label={t('packages.importing', { name })}
        done={progress?.done ?? 0}
        total={progress?.total || 1}
        startedAt={created_at}
      />
    );
  const count = (key: 'files' | 'trials' | 'observations' | 'lists' | 'decisions'): string =>
    t(`packages.count.${key}`, { count: report[key], n: formatCount(report[key]) });
  return (
    <Notice kind="success">
      <p style={{ margin: 0 }}>{t('packages.imported', { from: report.from })}</p>
      <p style={{ margin: 0 }}>
        {[count('files'), count('trials'), count('observations'), count('lists'), count('decisions')].join(', ')}.{' '}
        {t('packages.lines', { added: formatCount(report.lines_added), found: formatCount(report.lines_found) })}
      </p>
    </Notice>
  );
}
