import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { formatMeanSd } from '../../../lib/format/format.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { CompareDialog } from '../runs/index.ts';
import { modelQuery } from './models.api.ts';

/** `id` names the models, with commas between them. */
export function CompareModelsModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const queries = useQueries({ queries: id.split(',').map((one) => modelQuery(projectId, one)) });
  return (
    <CompareDialog
      projectId={projectId}
      kind="model"
      queries={queries}
      close={() => void close()}
      figureName={t('models.rHint')}
      figure={(model, trait) => formatMeanSd(model.evaluation[trait]?.pearson_r ?? undefined)}
    />
  );
}
