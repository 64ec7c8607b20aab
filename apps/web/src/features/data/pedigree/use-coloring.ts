import type { PedigreeIndividual } from '@heterosis/contracts/data/pedigree';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { formatStatistic } from '../../../lib/format/format.ts';
import { type Coloring, colorByCollection, colorByNumber } from './graph/colors.ts';
import { coloringModelsQuery, modelValuesQuery } from './pedigree.api.ts';

export interface ColorChoice {
  value: string;
  label: string;
}

/** `model/{id}/{gebv|observed}/{trait}` */
const MODEL_VALUE = /^model\/([^/]+)\/(gebv|observed)\/(.+)$/;

/** What the boxes may be coloured by, and the colours of the choice. */
export function useColoring(place: Place, individuals: readonly PedigreeIndividual[]) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const [choice, setChoice] = useState('collection');
  const isProject = place.kind === 'project';
  const { data: models = [] } = useQuery({ ...coloringModelsQuery(place.id), enabled: isProject });
  const [, modelId = '', figure, trait = ''] = MODEL_VALUE.exec(choice) ?? [];
  const values = useQuery({ ...modelValuesQuery(place.id, modelId, trait), enabled: figure !== undefined });

  const choices: ColorChoice[] = [
    { value: 'collection', label: t('word.collection') },
    { value: 'inbreeding', label: t('word.inbreedingF') },
    ...models.flatMap((one) =>
      one.traits.flatMap((name) =>
        one.variance[name] == null
          ? []
          : [
              { value: `model/${one.id}/gebv/${name}`, label: t('pedigree.byGebv', { trait: name, model: one.name }) },
              {
                value: `model/${one.id}/observed/${name}`,
                label: t('pedigree.byTrait', { trait: name, model: one.name }),
              },
            ],
      ),
    ),
  ];
  const coloring = useMemo((): Coloring => {
    if (choice === 'collection') {
      return colorByCollection(individuals, colors, {
        other: t('pedigree.otherCollections'),
        none: t('pedigree.noCollection'),
      });
    }
    const words = { none: t('word.noValue'), format: formatStatistic };
    if (choice === 'inbreeding') {
      return colorByNumber((i) => individuals[i]?.inbreeding ?? null, individuals.length, colors, words, {
        min: 0,
        max: 1,
      });
    }
    const byName = new Map(
      values.data?.map((row) => [row.individual, figure === 'observed' ? row.observed : row.gebv]),
    );
    return colorByNumber((i) => byName.get(individuals[i]?.name ?? '') ?? null, individuals.length, colors, words);
  }, [choice, individuals, colors, values.data, figure, t]);

  return { choice, setChoice, choices, coloring, error: values.error };
}
