import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { type Database, poolUsage } from '../../database/database.ts';
import { diskSpace } from '../../object-storage/disk-reserve.ts';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry;
  }
}

/**
 * `GET /metrics` for Prometheus: the process, its database connections, and time per route and status. Holds no
 * tenant's data.
 */
export function registerMetrics(app: FastifyInstance, db: Database, config: Pick<Config, 'dataDir' | 'limits'>): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'heterosis_' });
  const seconds = new Histogram({
    name: 'heterosis_http_request_duration_seconds',
    help: 'Time from request to last byte',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  registry.registerMetric(
    new Gauge({
      name: 'heterosis_database_connections',
      help: 'Connections of this process: busy, idle; waiting are requests that have none yet',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, count] of Object.entries(poolUsage(db))) this.set({ state }, count);
      },
    }),
  );
  app.decorate('metrics', registry);
  registerAsked(
    app,
    [
      { name: 'heterosis_disk_free_bytes', help: 'Free bytes of the disk of DATA_DIR', labelNames: [] },
      { name: 'heterosis_disk_reserve_bytes', help: 'Of these, what files may not take', labelNames: [] },
    ],
    async () => {
      const { freeBytes, reserveBytes } = await diskSpace(config.dataDir, config.limits.reservedDiskBytes);
      return {
        heterosis_disk_free_bytes: [{ labels: {}, value: freeBytes }],
        heterosis_disk_reserve_bytes: [{ labels: {}, value: reserveBytes }],
      };
    },
  );
  app.addHook('onResponse', async (request, reply) => {
    // The route pattern, not the address: every id would create its own series.
    const route = request.routeOptions.url ?? 'none';
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

interface Sample {
  labels: Record<string, string>;
  value: number;
}

interface AskedMetric {
  name: string;
  help: string;
  labelNames: string[];
}

/**
 * Metrics that one query answers at each scrape: `read` returns the samples by metric name.
 * If it fails (database unreachable), that scrape lacks them but is otherwise complete.
 */
export function registerAsked<const Metrics extends readonly AskedMetric[]>(
  app: FastifyInstance,
  metrics: Metrics,
  read: () => Promise<Record<Metrics[number]['name'], Sample[]>>,
): void {
  let answer: Promise<Record<string, Sample[]>> | undefined;
  // All metrics are collected together: the first runs the query, the others reuse its result.
  const ask = (): Promise<Record<string, Sample[]>> => {
    answer ??= read()
      .catch((error: unknown) => {
        app.log.warn({ err: error }, 'figures for /metrics could not be read');
        return {};
      })
      .finally(() => {
        answer = undefined;
      });
    return answer;
  };
  for (const { name, help, labelNames } of metrics)
    app.metrics.registerMetric(
      new Gauge({
        name,
        help,
        labelNames,
        registers: [],
        async collect() {
          const samples = (await ask())[name] ?? [];
          this.reset();
          for (const { labels, value } of samples) this.set(labels, value);
        },
      }),
    );
}
