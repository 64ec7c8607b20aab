import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { useAnnounceDeleted } from '../../data/bin/index.ts';

/** Of `useRunMutations`. */
interface RunCommand {
  mutateAsync: (id: string) => Promise<unknown>;
}

interface RunDialogProps {
  kind: RunKind;
  run: { id: string; name: string };
  onClose: (confirmed: boolean) => void;
}

export function DeleteRunDialog({ kind, run, remove, onClose }: RunDialogProps & { remove: RunCommand }) {
  const { t } = useTranslation();
  const { path } = RUN_KINDS[kind];
  const announce = useAnnounceDeleted(useRequiredProjectId());
  return (
    <ConfirmDialog
      title={t('action.deleteTitle', { name: run.name })}
      confirmLabel={t(`${path}.delete`)}
      onConfirm={async () => {
        await remove.mutateAsync(run.id);
        announce(run);
      }}
      onClose={onClose}
    >
      {t(`${path}.deleteText`)}
    </ConfirmDialog>
  );
}

export function CancelRunDialog({ run, cancel, onClose }: Omit<RunDialogProps, 'kind'> & { cancel: RunCommand }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('runs.cancelTitle', { name: run.name })}
      confirmLabel={t('runs.cancel')}
      cancelLabel={t('runs.keepRunning')}
      onConfirm={() => cancel.mutateAsync(run.id)}
      onClose={onClose}
    >
      {t('runs.cancelText')}
    </ConfirmDialog>
  );
}
