import { type RefObject, useEffect } from 'react';

/**
 * Marks an element that scrolls sideways with `data-more-left` and `data-more-right` while something is hidden there.
 * The marks are set without drawing the page again.
 */
export function useScrollEdges(scroll: RefObject<HTMLElement | null>, isWatched: boolean): void {
  useEffect(() => {
    const element = scroll.current;
    if (!isWatched || element === null) return;
    const mark = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      element.toggleAttribute('data-more-left', scrollLeft > 1);
      element.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - 1);
    };
    const observer = new ResizeObserver(mark);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', mark);
      element.removeAttribute('data-more-left');
      element.removeAttribute('data-more-right');
    };
  }, [scroll, isWatched]);
}
