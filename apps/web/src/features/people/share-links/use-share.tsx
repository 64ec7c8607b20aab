import { Menu } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectRights } from '../projects/index.ts';
import type { SharedItem } from './share-links.api.ts';

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

interface Shareable extends SharedItem {
  name: string;
  created_by_id: string | null;
}

/** What the page of a thing needs to share it: an entry of its menu for whoever may, and the dialog that it opens. */
export function useShare({ name, created_by_id, ...item }: Shareable): { entry: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation();
  const { mayChange } = useProjectRights(item.projectId);
  const [isOpen, setOpen] = useState(false);
  return {
    entry: mayChange({ created_by_id }) && <Menu.Item onClick={() => setOpen(true)}>{t('share.menu')}</Menu.Item>,
    dialog: isOpen && (
      <Suspense>
        <ShareDialog item={item} name={name} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}
