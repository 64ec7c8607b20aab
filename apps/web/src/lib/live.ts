let live = false;

export function setLive(connected: boolean): void {
  live = connected;
}

export function isLive(): boolean {
  return live;
}

const POLL_WHILE_DOWN_MS = 3_000;
const POLL_WHILE_LIVE_MS = 20_000;

/**
 * For `refetchInterval` of a query that shows running work: often while the event stream is down, seldom while it is up
 * (a lost message must not leave a bar standing still), never when nothing runs.
 */
export function pollWhile(isRunning: boolean): number | false {
  if (!isRunning) return false;
  return live ? POLL_WHILE_LIVE_MS : POLL_WHILE_DOWN_MS;
}
