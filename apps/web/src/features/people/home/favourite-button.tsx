import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconStar } from '../../../components/icons.tsx';
import { asProblem } from '../../../lib/api/problem.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { useIsGuest } from '../../../lib/session/browser-session.ts';
import { favouritesQuery, type Item, useMarkFavourite } from './home.api.ts';
import classes from './home.module.css';

/** A star: what has one is found on the page of projects. */
export function FavouriteButton({ item }: { item: Item }) {
  const { t } = useTranslation();
  const { data } = useQuery(favouritesQuery());
  const mark = useMarkFavourite(item);
  const isGuest = useIsGuest();
  if (isGuest) return null;
  const isStored = data?.data.some(({ kind, id }) => kind === item.kind && id === item.id) ?? false;
  const isFavourite = mark.isPending ? mark.variables : isStored;
  const label = t(isFavourite ? 'favourite.remove' : 'favourite.add', { name: item.name });
  return (
    <IconButton
      label={label}
      aria-pressed={isFavourite}
      disabled={data === undefined}
      onClick={(event) => {
        event.preventDefault();
        if (!mark.isPending)
          mark.mutate(!isFavourite, { onError: (error) => showToast({ text: asProblem(error).detail }) });
      }}
    >
      {isFavourite ? <IconStar size={18} fill="currentColor" className={classes.star} /> : <IconStar size={18} />}
    </IconButton>
  );
}
