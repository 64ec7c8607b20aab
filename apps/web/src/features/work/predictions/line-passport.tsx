import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { formatCount, formatShare, formatStatistic } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { germplasmLink, germplasmListQuery } from '../../data/germplasm/index.ts';
import classes from './ranking.module.css';
import { INDEX, type ResultRow, wantedPercentile } from './ranking.ts';
import type { RankedTraits } from './ranking-columns.tsx';

/** Who a line is and what is known of it, beside the ranking: origin, place among the others, records, reliability. */
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
      <aside className={classes.passport} aria-label={t('predictions.passport')}>
        <SkeletonLines lines={6} />
      </aside>
    );
  const { traits, lowTraits, kinship } = ranked;
  const kin = kinship?.(row.individual);
  return (
    <aside className={classes.passport} aria-label={t('predictions.passport')}>
      <h3>{row.individual}</h3>
      <dl>
        {rank !== undefined && (
          <>
            <dt>{t('predictions.rank')}</dt>
            <dd>
              {t('predictions.rankOf', {
                rank: formatCount(rank),
                total: formatCount(prediction.report?.individuals),
                index: formatStatistic(row[INDEX]),
              })}
            </dd>
          </>
        )}
        <Origin projectId={projectId} name={row.individual} />
        {kin !== undefined && (
          <>
            <dt>{t('predictions.kinship')}</dt>
            <dd>{formatStatistic(kin)}</dd>
          </>
        )}
      </dl>
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
    </aside>
  );
}

function TraitTable({ row, ranked: { traits, unitOf } }: { row: ResultRow; ranked: RankedTraits }) {
  const { t } = useTranslation();
  const hasReliability = row.reliability.some((one) => one !== null);
  return (
    <table className={classes.traits}>
      <thead>
        <tr>
          <th scope="col">{t('word.trait')}</th>
          <th scope="col">GEBV</th>
          {row.observed !== null && <th scope="col">{t('predictions.record')}</th>}
          {hasReliability && <th scope="col">{t('word.reliability')}</th>}
        </tr>
      </thead>
      <tbody>
        {traits.map((trait, at) => (
          <tr key={trait}>
            <th scope="row">{withUnit(trait, unitOf(trait))}</th>
            <td>{formatStatistic(row.gebv[at])}</td>
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

/** Parents and collection of the line of this name, with the way to its page; nothing where none is known. */
function Origin({ projectId, name }: { projectId: string; name: string }) {
  const { t } = useTranslation();
  const place: Place = { kind: 'project', id: projectId };
  const { data } = useInfiniteQuery(germplasmListQuery(place, { search: name, sort: undefined }));
  const line = data?.pages
    .flatMap((page) => page.data)
    .find((one) => [one.name, ...one.synonyms.map((synonym) => synonym.name)].includes(name));
  if (line === undefined) return null;
  const { maternal, paternal, collection } = line;
  return (
    <>
      {(maternal ?? paternal) !== null && (
        <>
          <dt>{t('predictions.parents')}</dt>
          <dd>{`${maternal?.name ?? t('germplasm.unknown')} × ${paternal?.name ?? t('germplasm.unknown')}`}</dd>
        </>
      )}
      {collection !== null && (
        <>
          <dt>{t('germplasm.collection')}</dt>
          <dd>{collection}</dd>
        </>
      )}
      <dt>{t('nav.germplasm')}</dt>
      <dd>
        <Link {...(germplasmLink(place, line.id) as LinkProps)} className="hx-link">
          {t('predictions.openLine')}
        </Link>
      </dd>
    </>
  );
}
