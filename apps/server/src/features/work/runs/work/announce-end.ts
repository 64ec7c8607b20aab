import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { announce } from '../../../people/webhooks/index.ts';
import type { Outcome } from './run-mail.ts';

export interface Ending extends Outcome {
  /** Of the row of `runs`, or of its cancelling. */
  key: string;
  organizationId: string;
  projectId: string;
  /** A kind of run, or the step that makes a file from another. */
  kind: string;
  id: string;
  name: string;
  path: string;
  isCancelled?: boolean;
}

/** Tells the webhooks of the organization that a run has ended; in the transaction that ends it. */
export async function announceEnd(
  services: Pick<Services, 'config' | 'jobs'>,
  trx: DatabaseTransaction,
  { key, organizationId, projectId, kind, id, name, path, results, failures, isCancelled = false }: Ending,
): Promise<void> {
  const state = isCancelled ? 'cancelled' : stateOf({ results, failures });
  const data = { kind, id, name, state, results, failures };
  await announce(services, trx, { event: 'run.ended', key, organizationId, projectId, path, data });
}

const stateOf = ({ results, failures }: Outcome): 'succeeded' | 'failed' | 'partly_failed' =>
  failures.length === 0 ? 'succeeded' : results.length === 0 ? 'failed' : 'partly_failed';
