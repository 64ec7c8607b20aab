import { placesOfSeries } from '@heterosis/statgen/designs/place-model';
import { NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { type AnalysedTrait, analysedTraitsQuery, seriesQuery } from '../sizes/variances.api.ts';
import classes from './new-trial.module.css';
import type { NewTrialValues } from './new-trial-values.ts';

/** The series of trials by whose factors lines are allocated to places. */
export function PlacesSource({ projectId, form }: { projectId: string; form: UseFormReturnType<NewTrialValues> }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const list = useQuery(analysedTraitsQuery(projectId));
  const keyOf = ({ analysisId, trait }: AnalysedTrait): string => `${analysisId} ${trait}`;
  const label = ({ name, trait }: AnalysedTrait): string => `${name}: ${trait}`;
  const take = useMutation({
    mutationFn: async (one: AnalysedTrait) => {
      const estimates = await client.fetchQuery(seriesQuery(projectId, one));
      // What no place could be made of is refused here, beside the choice.
      placesOfSeries(estimates, []);
      return { key: keyOf(one), label: label(one), estimates };
    },
    onSuccess: (series) => form.setFieldValue('series', series),
  });
  const { series } = form.values;
  const known = (list.data ?? []).filter(({ hasSeries }) => hasSeries);
  const choices = known.map((one) => ({ value: keyOf(one), label: label(one) }));
  // A draft may hold one that is no longer there.
  if (series && !choices.some(({ value }) => value === series.key))
    choices.push({ value: series.key, label: series.label });
  const error = list.error ?? take.error;
  return (
    <div className={classes.wide}>
      <NativeSelect
        label={t('trials.placesAsIn')}
        description={t('trials.placesAsInHint')}
        value={series?.key ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const one = known.find((other) => keyOf(other) === value);
          if (one) take.mutate(one);
          else form.setFieldValue('series', null);
        }}
        data={[{ value: '', label: t('trials.placesAlike') }, ...choices]}
      />
      {error && <ErrorNotice error={error} />}
    </div>
  );
}
