const SHOW_AFTER_MS = 5_000;

/**
 * Seconds left at the pace so far; undefined in the first five seconds and before anything is done, when a guess would
 * only jump about.
 */
export function estimateSecondsLeft(
  progress: { done: number; total: number; startedAt: number | undefined },
  now: number,
): number | undefined {
  const { done, total, startedAt } = progress;
  if (startedAt === undefined || done <= 0 || total <= 0 || done >= total) return undefined;
  const elapsed = now - startedAt;
  if (elapsed < SHOW_AFTER_MS) return undefined;
  return ((elapsed / done) * (total - done)) / 1000;
}

/** Share done, 0–1. */
export function shareDone(done: number, total: number): number {
  return total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
}
