import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useProjectId } from '../../lib/current.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { RenameRunModal } from '../runs/index.ts';
import { crossingSimulationQuery, useCrossingSimulationMutations } from './crossing-simulations.api.ts';

export function UpdateCrossingSimulationModal({ close, id = '' }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useProjectId() ?? '';
  const { data, error } = useQuery(crossingSimulationQuery(projectId, id));
  const { update } = useCrossingSimulationMutations(projectId);
  return (
    <RenameRunModal
      title={t('crossing_simulations.renameTitle')}
      close={close}
      current={data}
      error={error}
      save={(values) => update.mutateAsync({ id, ...values })}
    />
  );
}
