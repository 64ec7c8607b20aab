import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { favouritesQuery, homeQuery } from './home.api.ts';
import classes from './home.module.css';
import { ItemList } from './item-list.tsx';

/**
 * The list of projects, and beside it where the person left off: favourites and what was opened or made lately. A few
 * projects (`isBelow`) leave it the width of the page.
 */
export function BesideLeftOff({ isBelow, children }: { isBelow: boolean; children: ReactNode }) {
  return (
    <div className={classes.columns} data-below={isBelow || undefined}>
      <div>{children}</div>
      <aside className={classes.beside}>
        <FavouriteItems />
        <RecentItems />
      </aside>
    </div>
  );
}

function FavouriteItems() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(favouritesQuery());
  return (
    <section aria-label={t('favourite.title')}>
      <h2>{t('favourite.title')}</h2>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && <p className={classes.hint}>{t('favourite.none')}</p>}
      {data && <ItemList items={data.data} hasTimes={false} />}
    </section>
  );
}

function RecentItems() {
  const { t } = useTranslation();
  const { data } = useQuery(homeQuery());
  return (
    <section aria-label={t('leftOff.recent')}>
      <h2>{t('leftOff.recent')}</h2>
      {data?.recent.length === 0 && <p className={classes.hint}>{t('leftOff.noRecent')}</p>}
      {data && <ItemList items={data.recent} hasTimes />}
    </section>
  );
}
