import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useProjectId } from '../../lib/current.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { RenameRunModal } from '../runs/index.ts';
import { modelQuery, useModelMutations } from './models.api.ts';

export function UpdateModelModal({ close, id = '' }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useProjectId() ?? '';
  const { data, error } = useQuery(modelQuery(projectId, id));
  const { update } = useModelMutations(projectId);
  return (
    <RenameRunModal
      title={t('models.renameTitle')}
      close={close}
      current={data}
      error={error}
      save={(values) => update.mutateAsync({ id, ...values })}
    />
  );
}
