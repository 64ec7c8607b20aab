import type { Trial, TrialPlots } from '@heterosis/contracts/data/trials';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTraitSettings } from '../../../people/projects/index.ts';
import { withUnit } from '../../files/index.ts';
import type { TraitLayer } from '../layout-map.tsx';
import { observationsQuery } from './values.api.ts';

/** What counts of each trait of a trial, in the order of its plots: numbers where they are numbers. */
export function useTraitLayers(projectId: string, trial: Trial, plots: TrialPlots): TraitLayer[] {
  const settings = useTraitSettings(projectId);
  const answers = useQueries({
    queries: trial.traits.map((trait) => observationsQuery(projectId, trial.id, trait)),
  }).map(({ data }) => data);
  return useMemo(
    () =>
      answers.flatMap((answer) => {
        if (answer === undefined || answer.plot.length === 0) return [];
        const values = new Map(
          answer.plot.flatMap((plot, k) =>
            answer.state[k] === 'KEPT' && answer.value[k] != null ? [[plot, answer.value[k]] as const] : [],
          ),
        );
        const own = plots.number.map((plot) => asNumber(values.get(plot)));
        return [
          { trait: answer.trait, title: withUnit(answer.trait, settings?.(answer.trait).unit ?? null), values: own },
        ];
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the answers, not the array of each render
    [...answers, answers.length, plots, settings],
  );
}

function asNumber(value: string | undefined): number | string | null {
  if (value === undefined) return null;
  const number = Number(value);
  return value.trim() !== '' && Number.isFinite(number) ? number : value;
}
