import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { PhotoStrip } from '../../../../components/photos/photo-strip.tsx';
import { formatStatistic } from '../../../../lib/format/format.ts';
import { CommentThread } from '../../../people/comments/index.ts';
import { withUnit } from '../../files/index.ts';
import { germplasmLink } from '../germplasm.api.ts';
import { ChosenLociTable } from './chosen-loci.tsx';
import { newestStandings } from './estimates.ts';
import { passportQuery } from './passport.api.ts';
import classes from './passport.module.css';
import { ListLinks, observedRows, ParentName, StageInWords, Standings, useUnits } from './passport-parts.tsx';

/** Rows of trials and loci in the panel; the page of the line has all. */
const SHOWN = 6;

/**
 * Who a line is and what is known of it, beside a table or plot that names it; everywhere the same. `facts` and
 * `children` are what the page knows of it besides, and the values that it shows in place of the newest ones.
 */
export function PassportPanel(props: {
  projectId: string;
  /** Id of the germplasm, or a name as files and results write it. */
  line: string;
  name: string;
  /** At the end of the head. */
  action?: ReactNode;
  /** Pairs of `dt` and `dd`. */
  facts?: ReactNode;
  children?: ReactNode;
}) {
  const { projectId, line, name, action, facts, children } = props;
  const { t } = useTranslation();
  const unitOf = useUnits(projectId);
  const { data, error, refetch } = useQuery(passportQuery(projectId, line));
  const standings = newestStandings(data?.values.data ?? []);
  const observed = observedRows(data?.trials ?? []);
  return (
    <aside className={classes.panel} aria-label={t('passport.title')}>
      <div className={classes.head}>
        <h2>
          {data ? (
            <Link
              {...(germplasmLink({ kind: 'project', id: projectId }, data.germplasm.id) as LinkProps)}
              className="hx-link"
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </h2>
        {action}
      </div>
      <dl>
        {facts}
        {data && (data.maternal ?? data.paternal) !== null && (
          <>
            <dt>{t('passport.parents')}</dt>
            <dd>
              <ParentName projectId={projectId} parent={data.maternal} /> {'× '}
              <ParentName projectId={projectId} parent={data.paternal} />
            </dd>
          </>
        )}
        {data?.stages[0] && (
          <>
            <dt>{t('passport.stage')}</dt>
            <dd>
              <StageInWords stage={data.stages[0]} />
            </dd>
          </>
        )}
        {data && data.germplasm.collection !== null && (
          <>
            <dt>{t('germplasm.collection')}</dt>
            <dd>{data.germplasm.collection}</dd>
          </>
        )}
        {data && data.lists.length > 0 && (
          <>
            <dt>{t('nav.lists')}</dt>
            <dd>
              <ListLinks projectId={projectId} lists={data.lists} />
            </dd>
          </>
        )}
      </dl>
      {children ?? (standings.length > 0 && <Standings projectId={projectId} standings={standings} />)}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <SkeletonLines lines={4} />}
      {data === null && <p className="hx-muted">{t('passport.notListed', { name })}</p>}
      {observed.length > 0 && (
        <table className={classes.small} aria-label={t('nav.trials')}>
          <thead>
            <tr>
              <th scope="col">{t('passport.trial')}</th>
              <th scope="col">{t('passport.mean')}</th>
              <th scope="col">{t('passport.checkMean')}</th>
            </tr>
          </thead>
          <tbody>
            {observed.slice(0, SHOWN).map(({ id, trial, observed: { trait, mean, check_mean: check } }) => (
              <tr key={id}>
                <th scope="row">
                  {trial.name}
                  <span className={classes.kind}>{withUnit(trait, unitOf(trait))}</span>
                </th>
                <td>{formatStatistic(mean)}</td>
                <td>{formatStatistic(check)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && data.loci.length > 0 && (
        <table className={classes.small} aria-label={t('passport.loci')}>
          <thead>
            <tr>
              <th scope="col">{t('passport.locus')}</th>
              <th scope="col">{t('passport.genotype')}</th>
              <th scope="col">{t('passport.effect')}</th>
            </tr>
          </thead>
          <tbody>
            {data.loci.slice(0, SHOWN).map((one) => (
              <tr key={`${one.trait} ${one.marker}`}>
                <th scope="row">
                  {one.marker}
                  <span className={classes.kind}>{withUnit(one.trait, unitOf(one.trait))}</span>
                </th>
                <td>{one.genotype ?? '–'}</td>
                <td>
                  {one.effect === null
                    ? '–'
                    : t('passport.perCopy', { effect: formatStatistic(one.effect), allele: one.effect_allele })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data?.chosen && <ChosenLociTable chosen={data.chosen} />}
      {data && data.photos.length > 0 && (
        <PhotoStrip projectId={projectId} label={t('photos.title')} photos={data.photos.slice(0, SHOWN)} />
      )}
      {data && (
        <>
          <h3>{t('comments.title')}</h3>
          <CommentThread
            key={data.germplasm.id}
            projectId={projectId}
            entityKind="germplasm"
            entityId={data.germplasm.id}
          />
        </>
      )}
    </aside>
  );
}
