import type { File, FileDetail } from '@heterosis/contracts/files';
import { useTranslation } from 'react-i18next';
import { StateBadge, type StateKind } from '../../components/state-badge.tsx';

const KINDS: Record<File['status'], StateKind> = {
  UPLOADED: 'waiting',
  CHECKING: 'processing',
  READY: 'success',
  READY_WITH_WARNINGS: 'warning',
  INVALID: 'error',
};

export function FileStateBadge({ file }: { file: File | FileDetail }) {
  const { t } = useTranslation();
  return <StateBadge kind={KINDS[file.status]} label={t(`files.status.${file.status}`)} />;
}
