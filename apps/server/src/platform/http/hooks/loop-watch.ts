import { threadCpuUsage } from 'node:process';
import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';

/** Requests that last as long as their client wants block nothing. */
const LASTING = new Set(['/api/events']);
/** The metric of turns that were too long. */
export const LOOP_BLOCKED = 'heterosis_loop_blocked_seconds';
const TICK_MS = 50;
/** All others wait while one request computes: none may take longer at a stretch. */
const LONGEST_TURN_MS = 200;

/**
 * Notices when the thread that serves all requests computes longer at a stretch than {@link LONGEST_TURN_MS}: a
 * warning with the requests under way, and {@link LOOP_BLOCKED} of /metrics. Counted is the processor time
 * of this thread, so that a busy machine raises no alarm. Between two ticks there is time for one long turn of the
 * loop, and before it for others of {@link TICK_MS} together.
 */
export function registerLoopWatch(app: FastifyInstance): void {
  const underWay = new Map<string, Turn>();
  const ended: string[] = [];
  const blocked = new Histogram({
    name: LOOP_BLOCKED,
    help: 'Processor time of turns of the event loop above 0.2 s, by the route of the request under way',
    labelNames: ['route'],
    buckets: [0.5, 1, 2, 5, 10, 20],
    registers: [app.metrics],
  });
  app.addHook('onRequest', async ({ id, method, routeOptions: { url = 'none' } }) => {
    if (!LASTING.has(url)) underWay.set(id, { route: `${method} ${url}`, from: threadMs(), to: undefined });
  });
  app.addHook('onResponse', async ({ id }) => {
    const turn = underWay.get(id);
    if (turn === undefined) return;
    turn.to = threadMs();
    ended.push(id);
  });

  let last = threadMs();
  let lastTick = performance.now();
  const look = (): void => {
    const [before, tick] = [last, lastTick];
    [last, lastTick] = [threadMs(), performance.now()];
    const cpuMs = last - before - TICK_MS;
    // Those that have seen most of it.
    const seen = [...underWay.values()].filter(({ from, to = last }) => to - Math.max(from, before) > cpuMs / 2);
    for (const id of ended.splice(0)) underWay.delete(id);
    if (cpuMs < LONGEST_TURN_MS || seen.length === 0) return;
    const routes = [...new Set(seen.map(({ route }) => route))];
    blocked.observe({ route: routes.length === 1 ? (routes[0] ?? '') : 'several' }, cpuMs / 1000);
    const figures = { cpu_ms: Math.round(cpuMs), ms: Math.round(lastTick - tick), routes: routes.slice(0, 20) };
    app.log.warn(figures, 'all requests waited while one was computed');
  };
  const timer = setInterval(look, TICK_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    look();
  });
}

/** A request that is under way, or ended since the last tick, with the processor time of the thread at both ends. */
interface Turn {
  route: string;
  from: number;
  to: number | undefined;
}

function threadMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}
