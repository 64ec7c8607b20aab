import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useProjectId } from '../../lib/current.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { RenameRunModal } from '../runs/index.ts';
import { gwasQuery, useGwasMutations } from './gwas.api.ts';

export function UpdateGwasModal({ close, id = '' }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useProjectId() ?? '';
  const { data, error } = useQuery(gwasQuery(projectId, id));
  const { update } = useGwasMutations(projectId);
  return (
    <RenameRunModal
      title={t('gwas.renameTitle')}
      close={close}
      current={data}
      error={error}
      save={(values) => update.mutateAsync({ id, ...values })}
    />
  );
}
