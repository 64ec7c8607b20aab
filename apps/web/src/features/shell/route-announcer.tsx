import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** How long a title stands before it is read. */
const SETTLED_MS = 200;

/** Tells a screen reader that another page is shown: nothing is reloaded, so the browser does not. */
export function RouteAnnouncer() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const [title, setTitle] = useState('');
  const { t } = useTranslation();
  const pathBefore = useRef(path);
  useEffect(() => {
    const isFirst = pathBefore.current === undefined || pathBefore.current === path;
    pathBefore.current = path;
    // The browser reads the title of the first page.
    if (isFirst) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const announce = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setTitle(document.title), SETTLED_MS);
    };
    announce();
    // The page sets the title in an effect of its own, and again when the name of what it shows has come.
    const changes = new MutationObserver(announce);
    changes.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      clearTimeout(timer);
      changes.disconnect();
    };
  }, [path]);
  return (
    <div role="status" aria-live="polite" className="hx-visually-hidden">
      {/* Who hears it knows the product. */}
      {title.replace(` · ${t('product.homeTitle')}`, '')}
    </div>
  );
}
