import type { PersonalItem } from '@heterosis/contracts/people/home';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NameText } from '../../../components/table/name-text.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { runLink } from '../../../lib/browser/run-kinds.ts';
import classes from './home.module.css';

/** Items with their kind and project; times where they say how recent the items are. */
export function ItemList({ items, hasTimes }: { items: readonly PersonalItem[]; hasTimes: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.items}>
      {items.map((item) => (
        <li key={`${item.kind} ${item.id}`}>
          <Link {...(itemLink(item) as LinkProps)} className={classes.itemName}>
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

/** Where an item is seen. */
function itemLink({
  kind,
  id,
  project,
}: Pick<PersonalItem, 'kind' | 'id' | 'project'>): Pick<LinkProps, 'to' | 'params' | 'search'> {
  const params = { projectId: project.id };
  switch (kind) {
    case 'project':
      return { to: '/projects/$projectId', params };
    case 'file':
      return { to: '/projects/$projectId/files/$fileId', params: { ...params, fileId: id } };
    case 'list':
      return { to: '/projects/$projectId/lists', params, search: { list: id } };
    case 'trial':
      return { to: '/projects/$projectId/trials/$trialId', params: { ...params, trialId: id } };
    case 'decision':
      return { to: '/projects/$projectId/decisions/$decisionId', params: { ...params, decisionId: id } };
    default:
      return runLink(kind, project.id, id);
  }
}
