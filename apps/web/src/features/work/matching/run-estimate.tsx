import { matchingApi } from '@heterosis/contracts/endpoints/work/matching';
import type { RunEstimate as Estimate, estimateBody } from '@heterosis/contracts/work/estimates';
import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { formatBytes, formatCount, formatDuration } from '../../../lib/format/format.ts';
import classes from './match-panel.module.css';
import { useMatch } from './match-panel.tsx';

type Body = z.input<typeof estimateBody>;
const BYTES_PER_MB = 1e6;

/** What a run will take, below the names its files share; a reason and a way out where it does not fit. */
export function RunEstimate({
  projectId,
  inputs,
  ...settings
}: {
  projectId: string;
  inputs: {
    matchBody: { genotype_id: string; phenotype_id?: string | undefined } | undefined;
    traits: string[];
  };
} & Omit<Body, 'genotype_id' | 'phenotype_id' | 'traits'>) {
  const { t } = useTranslation();
  const { genotype_id = '', phenotype_id = '' } = inputs.matchBody ?? {};
  const { traits } = inputs;
  const body: Body = { ...settings, genotype_id, phenotype_id, traits };
  const isAsked = genotype_id !== '' && phenotype_id !== '' && traits.length > 0;
  const match = useMatch(projectId, inputs.matchBody);
  const estimate = useQuery({
    queryKey: [...keys.match(projectId), 'estimate', body],
    queryFn: ({ signal }) => call(matchingApi.estimateRun, { project_id: projectId, body }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
  // Why the files cannot be taken stands above.
  if (match.error) return null;
  if (estimate.error) return <ErrorNotice error={estimate.error} />;
  return (
    <section className={`${classes.panel} ${classes.estimate}`} aria-live="polite" aria-label={t('estimate.title')}>
      <h3>{t('estimate.title')}</h3>
      {estimate.data ? (
        <Cost estimate={estimate.data} analysis={body.analysis} />
      ) : isAsked ? (
        <Skeleton height={14} />
      ) : (
        <p className={classes.hint}>{t('estimate.hint')}</p>
      )}
    </section>
  );
}

function Cost({ estimate, analysis }: { estimate: Estimate; analysis: Body['analysis'] }) {
  const { t } = useTranslation();
  const { engine, reason, seconds, memory_mb, disk_mb, pruning } = estimate;
  return (
    <>
      <p className={classes.note}>
        {t('estimate.figures', {
          time: formatDuration(seconds),
          memory: formatBytes(memory_mb * BYTES_PER_MB),
          disk: formatBytes(disk_mb * BYTES_PER_MB),
        })}
      </p>
      {(pruning !== null || engine === 'markers') && (
        <p className={classes.note}>
          {pruning === null
            ? t('estimate.markers', { reason })
            : t(`estimate.pruning.${analysis}`, {
                markers: formatCount(pruning.markers),
                atMost: formatCount(pruning.at_most),
              })}
        </p>
      )}
    </>
  );
}
