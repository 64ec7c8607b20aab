const COUNT = /^heterosis_loop_blocked_seconds_(count|sum)\{route="(.*)"\} (\S+)$/gm;

/**
 * Throws when a server has kept all its requests waiting while it computed for one at a stretch, with the routes of
 * the requests under way. Takes its `/metrics`, where only processor time counts, so that a busy machine fails nothing.
 */
export function requireShortTurns(metrics: string): void {
  const found = new Map<string, Record<string, number>>();
  for (const [, what = '', route = '', value] of metrics.matchAll(COUNT))
    found.set(route, { ...found.get(route), [what]: Number(value) });
  if (found.size === 0) return;
  const each = [...found].map(([route, { count, sum = 0 }]) => `${count}× ${route}, ${sum.toFixed(2)} s`);
  throw new Error(`All requests waited for more than 0.2 s of computing at a stretch:\n  ${each.join('\n  ')}`);
}
