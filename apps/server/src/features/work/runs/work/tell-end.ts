import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { announce } from '../../../people/webhooks/index.ts';
import type { ErrorExtra } from './error-extra.ts';
import { mailEndOfRun, type Outcome, reasonInWords } from './run-mail.ts';

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

/** What has ended, as mails and webhooks name it. */
export interface Ended extends Pick<Ending, 'organizationId' | 'id' | 'name' | 'path'> {
  runId: string;
  /** Null for work of an organization, of which no webhook hears. */
  projectId: string | null;
  /** Begins the sentence of a mail: `Model`. */
  subject: string;
  /** Null for work of which webhooks hear in another way. */
  kind: string | null;
}

/**
 * Tells the outcome to the user who requested a run, if that user wants mails, and to the webhooks of the organization;
 * in the transaction that ends it.
 */
export async function tellEnd(
  services: Pick<Services, 'config' | 'jobs'>,
  trx: DatabaseTransaction,
  { runId, projectId, subject, kind, ...ended }: Ended,
  how: Outcome | { error: ErrorExtra },
): Promise<void> {
  const outcome = 'error' in how ? { results: [], failures: [reasonInWords(how.error)] } : how;
  const { name, path } = ended;
  await mailEndOfRun(services, trx, runId, async () => ({ ...outcome, kind: subject, name, path }));
  if (kind !== null && projectId !== null)
    await announceEnd(services, trx, { ...outcome, ...ended, projectId, kind, key: runId });
}
