import { isLost } from '../events/live.ts';

/** Name of the error of a part of the application that could not be loaded because the server is away. */
export const PART_NOT_LOADED = 'PartNotLoaded';

/**
 * Pages are loaded when they are first shown. When that fails, the router reloads the whole application, as after a
 * release whose files have other names. With the server away that would leave an empty page: mark the error for what it
 * is, so that the page shows it and recovers when the server is back.
 */
export function markPartsNotLoaded(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (navigator.onLine && !isLost()) return;
    const error = (event as Event & { payload: Error }).payload;
    error.name = PART_NOT_LOADED;
    // The router knows the failure by the text of the browser.
    error.message = `Not loaded while the server was away: ${error.message}`;
  });
}
