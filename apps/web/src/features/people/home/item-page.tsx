import type { ReactNode } from 'react';
import { InlineRename } from '../../../components/form/inline-rename.tsx';
import { type Crumb, Page } from '../../../components/page/page.tsx';
import { FavouriteButton } from './favourite-button.tsx';
import type { Item } from './home.api.ts';
import { useVisit } from './use-visit.ts';

interface ItemPageProps {
  item: Item;
  crumbs: Crumb[];
  /** The badge beside the name. */
  state: ReactNode;
  /** What the pencil is called. */
  renameLabel: string;
  canRename: boolean;
  onRename: (name: string) => Promise<unknown>;
  /** Top right: the one primary action and, at most, a menu. */
  action: ReactNode;
  children: ReactNode;
}

/** The page of one thing of a project: renamed in place, marked by a star, and found again among the recent ones. */
export function ItemPage({ item, crumbs, state, renameLabel, canRename, onRename, action, children }: ItemPageProps) {
  useVisit(item);
  return (
    <Page
      title={item.name}
      crumbs={crumbs}
      heading={<InlineRename name={item.name} label={renameLabel} canRename={canRename} onRename={onRename} />}
      aside={
        <>
          {state}
          <FavouriteButton item={item} />
        </>
      }
      action={action}
    >
      {children}
    </Page>
  );
}
