import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

/** Tells a screen reader that another page is shown: nothing is reloaded, so the browser does not. */
export function RouteAnnouncer() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const [title, setTitle] = useState('');
  const firstPath = useRef(path);
  useEffect(() => {
    if (path === firstPath.current) return undefined;
    firstPath.current = undefined;
    // The page sets the title in an effect of its own.
    const timer = setTimeout(() => setTitle(document.title), 100);
    return () => clearTimeout(timer);
  }, [path]);
  return (
    <div role="status" aria-live="polite" className="hx-visually-hidden">
      {title}
    </div>
  );
}
