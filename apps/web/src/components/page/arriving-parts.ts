import { useLayoutEffect, useState } from 'react';

/** Marks of parts on their way that stand on the page now. */
let arriving = 0;
const listeners = new Set<() => void>();

function changeBy(count: number): void {
  arriving += count;
  for (const listener of listeners) listener();
}

/** For what stands in the place of a part that is on its way. */
export function useArrivingMark(): void {
  useLayoutEffect(() => {
    changeBy(1);
    return () => changeBy(-1);
  }, []);
}

/**
 * Whether the page has been complete since `isReady`; then it stays true. What arrives may bring parts that have to
 * arrive themselves, so that a page is complete when nothing was on its way for two frames.
 */
export function useOnceComplete(isReady: boolean): boolean {
  const [isComplete, setComplete] = useState(false);
  useLayoutEffect(() => {
    if (!isReady || isComplete) return;
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      if (arriving === 0) frame = requestAnimationFrame(() => (frame = requestAnimationFrame(() => setComplete(true))));
    };
    look();
    listeners.add(look);
    return () => {
      listeners.delete(look);
      cancelAnimationFrame(frame);
    };
  }, [isReady, isComplete]);
  return isComplete;
}
