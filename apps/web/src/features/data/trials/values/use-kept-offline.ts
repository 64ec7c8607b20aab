import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keepPage } from '../../../../lib/offline/offline.ts';
import { session, useIsGuest } from '../../../../lib/session/browser-session.ts';

/** Keeps the page of a trial in this browser once it is there; whether it opens without a connection now. */
export function useKeptOffline(isLoaded: boolean): boolean {
  const client = useQueryClient();
  const isGuest = useIsGuest();
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    // Who wants to stay signed in for this tab only wants nothing kept beyond it.
    if (!isLoaded || isGuest || session.getPersistence() !== 'local') return;
    let isGone = false;
    void keepPage().then(
      async (kept) => {
        if (kept.isNew) await client.invalidateQueries();
        if (!isGone) setKept(kept.isKept);
      },
      // Nothing is promised then; what is typed waits in the browser all the same.
      () => setKept(false),
    );
    return () => {
      isGone = true;
    };
  }, [client, isGuest, isLoaded]);
  return isKept;
}
