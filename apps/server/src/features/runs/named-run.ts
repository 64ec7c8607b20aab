import type { Reference } from '@heterosis/contracts/common';
import type { RunKind, RunPath } from '@heterosis/contracts/run-kinds';
import type { DatabaseTransaction, Queryable } from '../../platform/database/database.ts';
import type { Services } from '../../platform/http/app.ts';
import type { Bundle } from './bundle.ts';
import type { ErrorExtra } from './error-extra.ts';
import type { Outcome } from './run-mail.ts';
import type { Run, RunOwner, RunRequestedBy } from './runs.queries.ts';

/** An input as details name it; null when it was deleted. */
export const referenceTo = (id: string | null, name: string | null): Reference | null =>
  id === null ? null : { id, name: name ?? '' };

/** What every row of a named run has. */
export interface NamedRunRow {
  id: string;
  name: string;
  project_id: string;
  organization_id: string;
  created_by: string | null;
}

/**
 * What a person starts under a name and finds again with its results: models, predictions, GWAS. Each feature says here
 * what is its own; to read, rename, delete, cancel and start again is the same for all (`named-runs.service.ts`).
 */
export interface NamedRuns<Row extends NamedRunRow = NamedRunRow, Item = unknown, Detail = unknown> {
  table: RunPath;
  /** Folder of their pages in the web application. */
  page: string;
  /** As events and the audit trail name one of them. */
  kind: RunKind;
  /** As sentences do. */
  noun: string;
  /** The column of `runs` that points to it. */
  owner: RunOwner;
  find(db: Queryable, projectId: string, id: string): Promise<Row | undefined>;
  /** As lists show it. `runs` are the newest of each kind. */
  toItem(services: Services, row: Row, runs: readonly Run[]): Promise<Item>;
  toDetail(services: Services, row: Row, runs: readonly Run[]): Promise<Detail>;
  /** All results, with what they rest on. */
  toBundle(row: Row, detail: Detail): Bundle;
  /** How it ended; undefined while something is still coming. */
  outcome(row: Row): Outcome | undefined;
  /** Ends with this error whatever still has something coming. */
  failUnfinished(db: Queryable, row: Row, error: ErrorExtra): Promise<void>;
  /** Starts again what has failed, for this person; throws a `Problem` when nothing has, or when an input is gone. */
  restart(services: Services, trx: DatabaseTransaction, row: Row, requested: RunRequestedBy): Promise<void>;
}
