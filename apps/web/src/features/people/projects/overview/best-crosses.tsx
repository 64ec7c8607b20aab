import type { OverviewResults } from '@heterosis/contracts/people/projects';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
import { formatDecimals, sharedDecimals } from '../../../../lib/format/format.ts';
import { BEST_LINES, bestCrossesQuery } from './overview-figures.api.ts';
import classes from './overview-results.module.css';

/** The most useful crosses of the newest simulation for one trait. */
export function BestCrosses(props: { projectId: string; crosses: NonNullable<OverviewResults['crosses']> }) {
  const { projectId, crosses } = props;
  const { simulation, best } = crosses;
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<string>();
  const { trait = '', cross = '' } = best.find((one) => one.trait === wanted) ?? best[0] ?? {};
  const query = useQuery(bestCrossesQuery(projectId, { simulationId: simulation.id, trait, best: cross }));
  const { data: rows = [], error, refetch } = query;
  const decimals = sharedDecimals(rows.map(({ usefulness }) => usefulness));
  return (
    <div>
      <NativeSelect
        size="xs"
        className={classes.traitChoice ?? ''}
        aria-label={t('overview.bestCrossesOf')}
        value={trait}
        onChange={(event) => setWanted(event.currentTarget.value)}
        data={best.map((one) => one.trait)}
      />
      {error && !query.data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <ol className={classes.ranking} style={{ minHeight: `${BEST_LINES * 1.75}rem` }}>
        {rows.map((row) => (
          <li key={row.place}>
            <span className={classes.name} title={row.cross}>
              {row.cross}
            </span>
            <span className={classes.number}>{formatDecimals(row.usefulness, decimals)}</span>
          </li>
        ))}
      </ol>
      <p className={classes.note}>
        {t('overview.bestCrossesNote', { count: crosses.crosses })}{' '}
        <Link className="hx-link" {...runLink('crossing_simulation', projectId, simulation.id)} search={{ trait }}>
          {simulation.name}
        </Link>
      </p>
    </div>
  );
}
