import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { formatCount, formatShare, formatStatistic } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { inInterval, PassportPanel } from '../../data/germplasm/index.ts';
import classes from './ranking.module.css';
import { INDEX, type ResultRow, wantedPercentile } from './ranking.ts';
import type { RankedTraits } from './ranking-columns.tsx';

/** The passport of a line beside the ranking, with its place among the others, records and reliabilities. */
export function LinePassport(props: {
  projectId: string;
  prediction: PredictionDetail;
  row: ResultRow | undefined;
  /** 1-based place by the index; undefined without one. */
  rank: number | undefined;
  ranked: RankedTraits;
}) {
  const { projectId, prediction, row, rank, ranked } = props;
  const { t } = useTranslation();
  if (row === undefined)
    return (
      <aside aria-label={t('passport.title')}>
        <SkeletonLines lines={6} />
      </aside>
    );
  const { traits, lowTraits, kinship } = ranked;
  const kin = kinship?.(row.individual);
  return (
    <PassportPanel
      projectId={projectId}
      line={row.individual}
      name={row.individual}
      facts={
        <>
          {rank !== undefined && (
            <>
              <dt>{t('predictions.rank')}</dt>
              <dd>
                {t('predictions.rankOf', {
                  rank: formatCount(rank),
                  total: formatCount(prediction.report?.individuals),
                  index: inInterval(row[INDEX], row.index_se),
                })}
              </dd>
            </>
          )}
          {kin !== undefined && (
            <>
              <dt>{t('predictions.kinship')}</dt>
              <dd>{formatStatistic(kin)}</dd>
            </>
          )}
        </>
      }
    >
      <ul className={classes.percentiles} aria-label={t('predictions.percentiles')}>
        {traits.map((trait, at) => {
          const share = wantedPercentile(row.percentile[at] ?? 0, lowTraits.includes(trait));
          return (
            <li key={trait}>
              <span>{trait}</span>
              <span className={classes.track} aria-hidden="true">
                <span style={{ width: `${share * 100}%` }} />
              </span>
              <span className={classes.share}>{formatShare(share)}</span>
            </li>
          );
        })}
      </ul>
      <TraitTable row={row} ranked={ranked} />
    </PassportPanel>
  );
}

function TraitTable({ row, ranked: { traits, unitOf } }: { row: ResultRow; ranked: RankedTraits }) {
  const { t } = useTranslation();
  const hasErrors = row.se.some((one) => one !== null);
  const hasReliability = row.reliability.some((one) => one !== null);
  return (
    <table className={classes.traits}>
      <thead>
        <tr>
          <th scope="col">{t('word.trait')}</th>
          <th scope="col">{hasErrors ? t('predictions.withInterval') : 'GEBV'}</th>
          {row.observed !== null && <th scope="col">{t('predictions.record')}</th>}
          {hasReliability && <th scope="col">{t('word.reliability')}</th>}
        </tr>
      </thead>
      <tbody>
        {traits.map((trait, at) => (
          <tr key={trait}>
            <th scope="row">{withUnit(trait, unitOf(trait))}</th>
            <td>{inInterval(row.gebv[at] ?? null, row.se[at] ?? null)}</td>
            {row.observed !== null && (
              <td>{row.observed[at] == null ? t('predictions.noRecordShort') : formatStatistic(row.observed[at])}</td>
            )}
            {hasReliability && <td>{formatStatistic(row.reliability[at])}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
