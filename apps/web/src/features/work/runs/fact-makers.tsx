import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NameText } from '../../../components/table/name-text.tsx';
import { formatTick } from '../../../lib/format/format.ts';
import { InputFile } from './input-file.tsx';
import type { FactMakers } from './run-view.ts';

/** Facts that several kinds of run have: a file, or the model, as a link; what was deleted since says so. */
export function useFactMakers(projectId: string): FactMakers {
  const { t } = useTranslation();
  const file: FactMakers['file'] = (label, one) => ({ label, value: <InputFile projectId={projectId} file={one} /> });
  return {
    t,
    file,
    files: (label, some, count) => ({
      label,
      value: some.map((one, place) => (
        <span key={one.id}>
          {place > 0 && ', '}
          <InputFile projectId={projectId} file={one} />
        </span>
      )),
      ...(some.length < count ? { hint: t('runs.deletedFiles', { count: count - some.length }) } : {}),
    }),
    linkageMap: (map, bpPerCm) =>
      bpPerCm === null
        ? file(t('crossing_simulations.linkageMap'), map)
        : {
            label: t('crossing_simulations.linkageMap'),
            value: t('crossing_simulations.byPosition', { mb: formatTick(bpPerCm / 1e6) }),
          },
    model: (model) => ({
      label: t('kind.model'),
      value: model ? (
        <Link to="/projects/$projectId/models/$modelId" params={{ projectId, modelId: model.id }} className="hx-link">
          <NameText name={model.name} />
        </Link>
      ) : (
        t('predictions.deletedModel')
      ),
    }),
  };
}
