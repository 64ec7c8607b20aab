import type { OverviewAccuracy } from '@heterosis/contracts/people/projects';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
import { formatDecimals, sharedDecimals } from '../../../../lib/format/format.ts';
import { useTraitSettings } from '../project-traits.api.ts';
import { BEST_LINES, bestLinesQuery } from './overview-figures.api.ts';
import classes from './overview-results.module.css';

/** The individuals with the best breeding values of a trait, in the direction wanted of it. */
export function BestLines({ projectId, newest }: { projectId: string; newest: readonly OverviewAccuracy[] }) {
  const { t } = useTranslation();
  const settings = useTraitSettings(projectId);
  const [chosen, setChosen] = useState(newest[0]?.trait);
  const shown = newest.find(({ trait }) => trait === chosen) ?? newest[0];
  const isLow = shown !== undefined && settings?.(shown.trait).direction === 'lower';
  const { data, error, refetch } = useQuery({
    ...bestLinesQuery(projectId, {
      modelId: shown?.model.id ?? '',
      trait: shown?.trait ?? '',
      sort: isLow ? 'gebv' : '-gebv',
    }),
    enabled: shown !== undefined && settings !== undefined,
  });
  if (!shown) return null;
  const decimals = sharedDecimals((data ?? []).map(({ gebv }) => gebv));
  return (
    <div>
      <NativeSelect
        size="xs"
        className={classes.traitChoice ?? ''}
        aria-label={t('overview.bestLinesOf')}
        value={shown.trait}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={newest.map(({ trait }) => trait)}
      />
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <ol className={classes.ranking} style={{ minHeight: `${BEST_LINES * 1.75}rem` }}>
        {data?.map(({ individual, gebv }) => (
          <li key={individual}>
            <span className={classes.name}>{individual}</span>
            <span className={classes.number}>{formatDecimals(gebv, decimals)}</span>
          </li>
        ))}
      </ol>
      <p className={classes.note}>
        {t(isLow ? 'overview.bestLinesNoteLow' : 'overview.bestLinesNote')}{' '}
        <Link className="hx-link" {...runLink('model', projectId, shown.model.id)} search={{ trait: shown.trait }}>
          {shown.model.name}
        </Link>
      </p>
    </div>
  );
}
