import type { Reference } from '@heterosis/contracts/common';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** An input of a run as a link; a file deleted since says so. */
export function InputFile({ projectId, file }: { projectId: string; file: Reference | null }) {
  const { t } = useTranslation();
  if (!file) return <span className="hx-muted">{t('runs.deletedFile')}</span>;
  return (
    <Link to="/projects/$projectId/files/$fileId" params={{ projectId, fileId: file.id }} className="hx-link">
      {file.name}
    </Link>
  );
}
