import type { File, FileDetail } from '@heterosis/contracts/data/files';
import { useTranslation } from 'react-i18next';
import { StateBadge, type StateKind } from '../../../components/table/state-badge.tsx';

const KINDS: Record<File['status'], StateKind> = {
  UPLOADED: 'waiting',
  CHECKING: 'processing',
  READY: 'success',
  READY_WITH_WARNINGS: 'warning',
  INVALID: 'error',
};

export function FileStateBadge({ file }: { file: File | FileDetail }) {
  const { t } = useTranslation();
  // Nothing was checked in a file without type: it is kept, and no run can use it.
  if (file.file_type === null && file.status === 'READY')
    return <StateBadge kind="waiting" label={t('files.status.STORED')} />;
  return <StateBadge kind={KINDS[file.status]} label={t(`files.status.${file.status}`)} />;
}
