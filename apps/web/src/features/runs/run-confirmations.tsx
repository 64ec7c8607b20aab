import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { RunKind } from './run-kind.ts';
import type { RunMutations } from './use-run-mutations.ts';

interface RunDialogProps {
  kind: RunKind;
  run: { id: string; name: string };
  onClose: (confirmed: boolean) => void;
}

export function DeleteRunDialog({
  kind,
  run,
  remove,
  onClose,
}: RunDialogProps & { remove: Pick<RunMutations['remove'], 'mutateAsync'> }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t(`${kind}.deleteTitle`, { name: run.name })}
      confirmLabel={t(`${kind}.delete`)}
      onConfirm={() => remove.mutateAsync(run.id)}
      onClose={onClose}
    >
      {t(`${kind}.deleteText`)}
    </ConfirmDialog>
  );
}

export function CancelRunDialog({
  run,
  cancel,
  onClose,
}: Omit<RunDialogProps, 'kind'> & { cancel: Pick<RunMutations['cancel'], 'mutateAsync'> }) {
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
