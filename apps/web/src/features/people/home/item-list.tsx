import type { PersonalItem } from '@heterosis/contracts/people/home';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NameText } from '../../../components/table/name-text.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { itemLink } from '../../../lib/browser/item-link.ts';
import classes from './home.module.css';

/** Items with their kind and project; times where they say how recent the items are. */
export function ItemList({ items, hasTimes }: { items: readonly PersonalItem[]; hasTimes: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.items}>
      {items.map((item) => (
        <li key={`${item.kind} ${item.id}`}>
          <Link {...(itemLink(item.kind, item.project.id, item.id) as LinkProps)} className={classes.itemName}>
            <NameText name={item.name} />
          </Link>
          <span className={classes.itemNote}>
            {t(`kind.${item.kind}`)}
            {item.kind !== 'project' && ` · ${item.project.name}`}
            {hasTimes && (
              <>
                {' · '}
                <RelativeTime date={item.at} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
