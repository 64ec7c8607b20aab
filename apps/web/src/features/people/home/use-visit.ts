import { useEffect } from 'react';
import { guestProject } from '../../../lib/session/browser-session.ts';
import { type Item, recordVisit } from './home.api.ts';

/** Remembers that the page of an item was opened. When that fails, the item is merely missing among the recent ones. */
export function useVisit({ projectId, kind, id }: Pick<Item, 'projectId' | 'kind' | 'id'>): void {
  useEffect(() => {
    if (guestProject() === undefined) recordVisit({ projectId, kind, id }).catch(() => {});
  }, [projectId, kind, id]);
}
