import type { Reference } from '@heterosis/contracts/common';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { JobReference } from '../../../../platform/job-queue/job-queue.ts';
import { eventOf } from '../work/entity.ts';
import { inputGone } from '../work/error-extra.ts';
import { failRuns } from '../work/runs.queries.ts';
import { failUnfinished, hasAnyInput, inputInWords, listRunsUsing, rolesOf } from './run-kind.queries.ts';
import { getNamedRun, tellEndOfNamedRun } from './run-kind.service.ts';
import type { NamedRunRow, RunKindDefinition } from './run-kind.ts';

/** What the feature of an input may ask a kind of run that uses it. */
export interface RunsOnInput {
  /** Runs outside the bin that use the input. */
  listDependants(db: Queryable, projectId: string, inputId: string): Promise<(Reference & { kind: RunKind })[]>;
  /** Whether an unfinished run uses the input. */
  isUnderWay(db: Queryable, projectId: string, inputId: string): Promise<boolean>;
  /**
   * Called when the input is deleted: ends the runs that still need it with an error and returns their jobs, which the
   * caller cancels.
   */
  endRunsOf(services: Services, trx: DatabaseTransaction, projectId: string, inputId: string): Promise<JobReference[]>;
}

export function runsOnInput<Row extends NamedRunRow>(definition: RunKindDefinition<Row>): RunsOnInput {
  const { kind, inputs } = definition;
  const types = new Map(rolesOf(inputs).map(({ role, type }) => [role, type]));
  return {
    async listDependants(db, projectId, inputId) {
      const using = await listRunsUsing(db, definition, { projectId, inputId });
      return using.map(({ id, name }) => ({ id, name, kind }));
    },

    async isUnderWay(db, projectId, inputId) {
      const { rows } = await sql`
        select 1 from runs join ${sql.table(RUN_KINDS[kind].path)} as one on one.id = runs.entity_id
        where runs.project_id = ${projectId} and runs.finished_at is null and ${hasAnyInput(rolesOf(inputs), inputId)}
        limit 1
      `.execute(db);
      return rows.length > 0;
    },

    async endRunsOf(services, trx, projectId, inputId) {
      const stopped: JobReference[] = [];
      for (const { id, role } of await listRunsUsing(trx, definition, { projectId, inputId })) {
        const type = types.get(role);
        const error = inputGone(type && `The ${inputInWords(type)}`);
        const ended = await failRuns(trx, { entity_kind: kind, entity_id: id }, error);
        if (ended.length === 0) continue;
        const row = await getNamedRun(definition, trx, projectId, id);
        await failUnfinished(trx, kind, row, error);
        for (const run of ended)
          await tellEndOfNamedRun(services, trx, definition, { tenantId: projectId, id, runId: run.id });
        await publishEvent(trx, eventOf(definition, row));
        stopped.push(...ended.flatMap(({ jobs }) => jobs));
      }
      return stopped;
    },
  };
}
