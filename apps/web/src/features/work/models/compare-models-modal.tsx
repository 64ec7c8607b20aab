import { useTranslation } from 'react-i18next';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { formatMeanSd } from '../../../lib/format/format.ts';
import { CompareDialog } from '../runs/index.ts';
import { modelRuns } from './models.api.ts';

/** `id` names the models, with commas between them. */
export function CompareModelsModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  return (
    <CompareDialog
      runs={modelRuns}
      ids={id}
      close={close}
      figureName={t('models.rHint')}
      figure={(model, trait) => formatMeanSd(model.evaluation[trait]?.pearson_r ?? undefined)}
    />
  );
}
