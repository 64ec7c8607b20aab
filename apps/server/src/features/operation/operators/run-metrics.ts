import { sql } from 'kysely';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { registerAsked } from '../../../platform/http/hooks/metrics.ts';

const SHARES = [0.5, 0.95];

/** Runs of the last hour over all workers. The API reports them, because workers have no HTTP address to scrape. */
export const runMetrics: FeatureRoutes = (app, { db }) => {
  registerAsked(
    app,
    [
      {
        name: 'heterosis_runs_last_hour',
        help: 'Runs that ended in the last hour, by what they were and how they ended',
        labelNames: ['kind', 'state'],
      },
      {
        name: 'heterosis_run_duration_seconds_last_hour',
        help: 'Time from begin to end of the runs of the last hour that succeeded',
        labelNames: ['kind', 'quantile'],
      },
    ],
    async () => {
      const { rows } = await sql<{ kind: string; state: string; runs: number; seconds: number[] | null }>`
        select step as kind, state, count(*)::int as runs,
          percentile_cont(${sql.lit(`{${SHARES.join(',')}}`)}::float8[])
            within group (order by extract(epoch from finished_at - started_at)::float8) as seconds
        from runs where finished_at > now() - interval '1 hour' group by step, state
      `.execute(db);
      return {
        heterosis_runs_last_hour: rows.map(({ kind, state, runs }) => ({ labels: { kind, state }, value: runs })),
        heterosis_run_duration_seconds_last_hour: rows
          .filter(({ state }) => state === 'SUCCEEDED')
          .flatMap(({ kind, seconds }) =>
            SHARES.map((share, index) => ({
              labels: { kind, quantile: String(share) },
              value: seconds?.[index] ?? 0,
            })),
          ),
      };
    },
  );
};
