import type { OverviewAccuracy, OverviewResults } from '@heterosis/contracts/people/projects';
import type { ProjectTrait } from '@heterosis/contracts/people/traits';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
import { formatDecimals, sharedDecimals } from '../../../../lib/format/format.ts';
import { indexFormula } from '../../../../lib/format/index-formula.ts';
import { useTraitSettings } from '../project-traits.api.ts';
import { BEST_LINES, bestByIndexQuery, bestLinesQuery } from './overview-figures.api.ts';
import classes from './overview-results.module.css';

type Ranking = OverviewResults['ranking'];
type Settings = (trait: string) => ProjectTrait;

/** Chosen in place of a trait; no trait has an empty name. */
const BY_INDEX = '';

/** The best lines by the index of the project, as its newest prediction ranks them; or by one trait of a model. */
export function BestLines(props: { projectId: string; ranking: Ranking; newest: readonly OverviewAccuracy[] }) {
  const { projectId, ranking, newest } = props;
  const { t } = useTranslation();
  const settings = useTraitSettings(projectId);
  const [wanted, setWanted] = useState<string>(BY_INDEX);
  const choice = { size: 'xs', className: classes.traitChoice ?? '', 'aria-label': t('overview.bestLinesOf') };
  if (settings === undefined)
    return (
      <div>
        <NativeSelect {...choice} disabled />
        <Lines lines={undefined} note={'\u00A0'} />
      </div>
    );
  const isIndexed = (ranking?.traits.filter((trait) => settings(trait).weight > 0).length ?? 0) > 1;
  const shown = newest.find(({ trait }) => trait === wanted);
  const accuracy = shown ?? (isIndexed ? undefined : newest[0]);
  return (
    <div>
      <NativeSelect
        {...choice}
        value={accuracy?.trait ?? BY_INDEX}
        onChange={(event) => setWanted(event.currentTarget.value)}
        data={[
          ...(isIndexed ? [{ value: BY_INDEX, label: t('overview.bestLinesIndex') }] : []),
          ...newest.map(({ trait }) => ({ value: trait, label: trait })),
        ]}
      />
      {accuracy !== undefined ? (
        <ByTrait projectId={projectId} accuracy={accuracy} settings={settings} />
      ) : (
        ranking !== null && <ByIndex projectId={projectId} ranking={ranking} />
      )}
    </div>
  );
}

function ByIndex({ projectId, ranking }: { projectId: string; ranking: NonNullable<Ranking> }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(bestByIndexQuery(projectId, ranking.id));
  return (
    <Lines
      lines={data?.data.map(({ individual, index }) => ({ individual, value: index }))}
      error={error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      note={
        <>
          <Link className="hx-link" {...runLink('prediction', projectId, ranking.id)}>
            {ranking.name}
          </Link>
          {data?.index_weights && (
            <>
              {'. '}
              <span>{t('word.indexIs', { formula: indexFormula(data.traits, data.index_weights) })}.</span>
            </>
          )}
        </>
      }
    />
  );
}

function ByTrait(props: { projectId: string; accuracy: OverviewAccuracy; settings: Settings }) {
  const { projectId, accuracy, settings } = props;
  const { trait, model } = accuracy;
  const { t } = useTranslation();
  const isLow = settings(trait).direction === 'lower';
  const { data, error, refetch } = useQuery(
    bestLinesQuery(projectId, { modelId: model.id, trait, sort: isLow ? 'gebv' : '-gebv' }),
  );
  return (
    <Lines
      lines={data?.map(({ individual, gebv }) => ({ individual, value: gebv }))}
      error={error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      note={
        <>
          {t(isLow ? 'overview.bestLinesNoteLow' : 'overview.bestLinesNote')}{' '}
          <Link className="hx-link" {...runLink('model', projectId, model.id)} search={{ trait }}>
            {model.name}
          </Link>
        </>
      }
    />
  );
}

function Lines(props: {
  lines: readonly { individual: string; value: number | null }[] | undefined;
  error?: ReactNode;
  note: ReactNode;
}) {
  const { lines = [], error, note } = props;
  const decimals = sharedDecimals(lines.map(({ value }) => value));
  return (
    <>
      {error}
      <ol className={classes.ranking} style={{ minHeight: `${BEST_LINES * 1.75}rem` }}>
        {lines.map(({ individual, value }) => (
          <li key={individual}>
            <span className={classes.name}>{individual}</span>
            <span className={classes.number}>{formatDecimals(value, decimals)}</span>
          </li>
        ))}
      </ol>
      <p className={`${classes.note} ${classes.rankingNote}`}>{note}</p>
    </>
  );
}
