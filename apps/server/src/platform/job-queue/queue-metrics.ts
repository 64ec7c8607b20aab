import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { registerAsked } from '../http/hooks/metrics.ts';

/** Waiting and running jobs over all workers, to judge whether there are enough of them. */
export function registerQueueMetrics(app: FastifyInstance, db: Database): void {
  registerAsked(
    app,
    [
      { name: 'heterosis_jobs', help: 'Jobs in the queue that have not ended', labelNames: ['queue', 'job', 'state'] },
      {
        name: 'heterosis_jobs_oldest_waiting_seconds',
        help: 'How long the job that waits longest could have begun',
        labelNames: ['queue', 'job'],
      },
    ],
    async () => {
      const { rows } = await sql<{ queue: string; job: string; state: string; jobs: number; age: number }>`
        select name as queue, coalesce(data ->> 'job', '') as job,
          case when state = 'active' then 'running' when blocked then 'blocked' else 'waiting' end as state,
          count(*)::int as jobs,
          coalesce(extract(epoch from now() - min(greatest(start_after, created_on))), 0)::float8 as age
        from pgboss.job where state in ('created', 'retry', 'active') group by 1, 2, 3
      `.execute(db);
      return {
        heterosis_jobs: rows.map(({ queue, job, state, jobs }) => ({ labels: { queue, job, state }, value: jobs })),
        heterosis_jobs_oldest_waiting_seconds: rows
          .filter(({ state }) => state === 'waiting')
          // A job waiting for its retry starts in the future.
          .map(({ queue, job, age }) => ({ labels: { queue, job }, value: Math.max(0, age) })),
      };
    },
  );
}
