import type { ItemKind } from '@heterosis/contracts/people/home';
import { runKinds } from '@heterosis/contracts/work/run-kinds';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { notify } from '../../../people/notifications/index.ts';
import { announce } from '../../../people/webhooks/index.ts';
import type { ErrorExtra } from './error-extra.ts';
import { mailEndOfRun, type Outcome, reasonInWords } from './run-mail.ts';
import { findRequester } from './run-mails.queries.ts';

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
  /** What `id` is, where it is no run of a kind and can be deleted. */
  item?: ItemKind;
}

/**
 * Tells the outcome to the user who requested a run, in the product and, if that user wants mails, by mail, and to the
 * webhooks of the organization; in the transaction that ends it.
 */
export async function tellEnd(
  services: Pick<Services, 'config' | 'jobs'>,
  trx: DatabaseTransaction,
  { item, ...whole }: Ended,
  how: Outcome | { error: ErrorExtra },
): Promise<void> {
  const outcome = 'error' in how ? { results: [], failures: [reasonInWords(how.error)] } : how;
  const { runId, projectId, subject, kind, ...ended } = whole;
  const { name, path } = ended;
  await mailEndOfRun(services, trx, runId, async () => ({ ...outcome, kind: subject, name, path }));
  if (kind !== null && projectId !== null)
    await announceEnd(services, trx, { ...outcome, ...ended, projectId, kind, key: runId });
  await notifyEnd(trx, { ...whole, ...(item === undefined ? {} : { item }) }, outcome);
}

/** A check of a few seconds that went well is seen where it was asked for. */
const LONG_SECONDS = 60;

/** Of every run the person is told in the product; of checks, uploads and imports when they failed or took a minute. */
async function notifyEnd(trx: DatabaseTransaction, ended: Ended, outcome: Outcome): Promise<void> {
  const { runId, organizationId, projectId, id, name, path, subject } = ended;
  const kind = runKinds.find((one) => one === ended.kind);
  const requester = await findRequester(trx, runId);
  const state = stateOf(outcome);
  if (requester === undefined) return;
  if (kind === undefined && state === 'succeeded' && requester.seconds < LONG_SECONDS) return;
  const item = kind ?? ended.item;
  const [text] = [...outcome.failures, ...outcome.results];
  await notify(trx, {
    userId: requester.user_id,
    kind: 'run',
    sourceId: runId,
    projectId,
    organizationId: projectId === null ? organizationId : null,
    item: item === undefined ? null : { kind: item, id },
    path,
    details: { subject, name, state, ...(text === undefined ? {} : { text }) },
  });
}
