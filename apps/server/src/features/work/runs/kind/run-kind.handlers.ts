import type { Page } from '@heterosis/contracts/common';
import type { Citation, ReportQuery } from '@heterosis/contracts/work/runs';
import type { RawBuilder } from 'kysely';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Download, ProjectCall } from '../../../../platform/http/bind.ts';
import { zipDownload } from '../../../../platform/http/zip-download.ts';
import type { JobReference } from '../../../../platform/job-queue/job-queue.ts';
import { printReport } from '../report/report-run.ts';
import {
  bundleNamedRun,
  cancelNamedRun,
  citeNamedRun,
  deleteNamedRun,
  pageOfRuns,
  readNamedRun,
  repeatNamedRun,
  reportNamedRun,
  updateNamedRun,
} from './run-kind.service.ts';
import type { NamedRunRow, RunKindDefinition } from './run-kind.ts';

type PageQuery = {
  limit: number;
  cursor?: string | undefined;
};

interface RunHandlersOptions<Query> {
  /** Filters of the list besides `name` and `{role}_id` of each input. */
  conditions?: (query: Query) => RawBuilder<boolean>[];
  /** Called when a run is deleted: ends the runs that use it and returns their jobs. */
  endConsumers?: (call: ProjectCall, trx: DatabaseTransaction, id: string) => Promise<JobReference[]>;
}

/** What a name or a description of a run becomes. */
interface Renaming {
  name?: string | undefined;
  description?: string | null | undefined;
}

/** What answers the endpoints that every kind of run has (`runEndpoints`), except the creation of a run. */
export function runHandlers<Row extends NamedRunRow, Item, Detail, Query extends PageQuery = PageQuery>(
  definition: RunKindDefinition<Row, Item, Detail>,
  { conditions, endConsumers }: RunHandlersOptions<Query> = {},
) {
  return {
    listRuns: ({ services, access }: ProjectCall, { query }: { query: Query }): Promise<Page<Item>> =>
      pageOfRuns(services, definition, access.projectId, {
        filter: { ...query },
        conditions: conditions?.(query) ?? [],
        limit: query.limit,
        cursor: query.cursor,
      }),

    readRun: ({ services, access }: ProjectCall, { id }: { id: string }): Promise<Detail> =>
      readNamedRun(services, definition, { projectId: access.projectId, id }),

    updateRun: (
      { services, access, principal }: ProjectCall,
      { id, body }: { id: string; body: Renaming },
    ): Promise<Detail> => updateNamedRun(services, definition, { access, principal, id }, body),

    deleteRun: (call: ProjectCall, { id }: { id: string }): Promise<void> =>
      deleteNamedRun(call.services, definition, { ...call, id }, async (trx) =>
        endConsumers === undefined ? [] : endConsumers(call, trx, id),
      ),

    bundleRun: async ({ services, access }: ProjectCall, { id }: { id: string }): Promise<Download> =>
      zipDownload(services.storage, await bundleNamedRun(services, definition, access.projectId, id)),

    citeRun: ({ services, access }: ProjectCall, { id }: { id: string }): Promise<Citation> =>
      citeNamedRun(services, definition, access.projectId, id),

    reportRun: async (
      { services, access: { projectId } }: ProjectCall,
      { id, query: { page } }: { id: string; query: ReportQuery },
    ): Promise<Download> =>
      printReport(await reportNamedRun(services, definition, { projectId, id, page, audience: 'members' })),

    cancelRun: ({ services, access, principal }: ProjectCall, { id }: { id: string }): Promise<Detail> =>
      cancelNamedRun(services, definition, { access, principal, id }),

    retryRun: ({ services, access, principal }: ProjectCall, { id }: { id: string }): Promise<Detail> =>
      repeatNamedRun(services, definition, { access, principal, id }),
  };
}
