import { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';
import { formatPValue, formatStatistic } from '../../../../lib/format/format.ts';
import { type Suspect, suspectsByPlot } from './suspects.ts';

/** What the newest analyses of a trial find wrong; read again when an analysis of the project has changed. */
export const suspectPlotsQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.runs('trial_analysis', projectId), 'suspect plots', id],
    queryFn: ({ signal }) => call(trialAnalysesApi.getSuspectPlots, { project_id: projectId, id }, { signal }),
  });

export function useSuspects(projectId: string, trialId: string) {
  const { t } = useTranslation();
  const { data, error, isPending } = useQuery(suspectPlotsQuery(projectId, trialId));
  const analysed = useMemo(() => data?.data ?? [], [data]);
  const byPlot = useMemo(() => suspectsByPlot(analysed), [analysed]);
  const inWords = (suspect: Suspect): string => {
    if (suspect.kind === 'suspicion') return suspect.text;
    if (suspect.kind === 'aside') return t('trials.suspects.aside', { reason: suspect.reason });
    return t('trials.suspects.outlier', {
      statistic: formatStatistic(suspect.statistic),
      p: formatPValue(suspect.p),
    });
  };
  return { analysed, byPlot, inWords, error, isPending };
}
