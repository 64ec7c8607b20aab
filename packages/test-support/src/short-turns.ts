const COUNT = /^heterosis_loop_blocked_seconds_(count|sum)\{route="(.*)"\} (\S+)$/gm;

/**
 * Throws when a server has kept all its requests waiting while it computed for one at a stretch, longer than
 * `longest` seconds on average of a route, with these routes. Takes its `/metrics`, where only processor time counts,
 * so that a busy machine fails nothing, and only turns above 0.2 s.
 */
export function requireShortTurns(metrics: string, longest = 0.2): void {
  const found = new Map<string, Record<string, number>>();
  for (const [, what = '', route = '', value] of metrics.matchAll(COUNT))
    found.set(route, { ...found.get(route), [what]: Number(value) });
  const long = [...found].filter(([, { count = 1, sum = 0 }]) => sum / count > longest);
  if (long.length === 0) return;
  const each = long.map(([route, { count, sum = 0 }]) => `${count}× ${route}, ${sum.toFixed(2)} s`);
  throw new Error(`All requests waited for more than ${longest} s of computing at a stretch:\n  ${each.join('\n  ')}`);
}
