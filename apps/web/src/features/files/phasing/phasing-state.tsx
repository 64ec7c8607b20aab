import type { FileDetail } from '@heterosis/contracts/files';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useModal } from '../../../lib/modal.ts';
import { useProjectRights } from '../../projects/index.ts';
import { PHASING_STAGES, RunFailures, RunningTraits, stateOfWhole } from '../../runs/index.ts';
import { useFileMutations } from '../files.api.ts';

/** How the phasing of a genotype file goes, why it failed, or where the phased file is. */
export function PhasingState(props: {
  projectId: string;
  file: FileDetail;
  phasing: NonNullable<FileDetail['phasing']>;
}) {
  const { projectId, file, phasing } = props;
  const { t } = useTranslation();
  const modal = useModal();
  const { may, mayChange } = useProjectRights(projectId);
  const { phase, cancelPhasing } = useFileMutations(projectId);
  const label = t('files.phasing.running');
  const state = stateOfWhole(phasing);
  if (phasing.status === 'PROCESSING')
    return (
      <>
        <RunningTraits
          state={state}
          name={label}
          stages={PHASING_STAGES}
          onCancel={mayChange(file) ? () => cancelPhasing.mutate(file.id) : undefined}
        />
        {cancelPhasing.error && <ErrorNotice error={cancelPhasing.error} />}
      </>
    );
  if (phasing.status === 'ERROR')
    return (
      <>
        <RunFailures
          state={state}
          name={label}
          onRetry={may('write') ? () => phase.mutate({ id: file.id }) : undefined}
          isRetrying={phase.isPending}
          onChange={may('write') ? () => modal.open('phasing', file.id) : undefined}
        />
        {phase.error && <ErrorNotice error={phase.error} />}
      </>
    );
  if (phasing.file === null) return null;
  return (
    <Notice kind="success">
      {t('files.phasing.done')}{' '}
      <Link to="/projects/$projectId/files/$fileId" params={{ projectId, fileId: phasing.file.id }} className="hx-link">
        {phasing.file.name}
      </Link>
    </Notice>
  );
}
