import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useProjectId } from '../../lib/current.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { RenameRunModal } from '../runs/index.ts';
import { predictionQuery, usePredictionMutations } from './predictions.api.ts';

export function UpdatePredictionModal({ close, id = '' }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useProjectId() ?? '';
  const { data, error } = useQuery(predictionQuery(projectId, id));
  const { update } = usePredictionMutations(projectId);
  return (
    <RenameRunModal
      title={t('predictions.renameTitle')}
      close={close}
      current={data}
      error={error}
      save={(values) => update.mutateAsync({ id, ...values })}
    />
  );
}
