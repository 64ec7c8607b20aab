import type { Page } from '@heterosis/contracts/common';
import type { Foundation } from '../entrypoints/foundation.ts';
import { repeatable } from '../entrypoints/wiring.ts';
import { verifyStorage } from '../features/operation/backup/index.ts';
import {
  changeQuotas,
  findOrganizationToOperate,
  listOperatedMails,
  listOperatedOrganizations,
  listQueueDepths,
  listRunsToRepeat,
  repeatFailedMail,
  repeatFailedRun,
} from '../features/operation/operators/index.ts';
import { findUserByEmail, listOperators, updateOperator } from '../features/people/accounts/index.ts';
import { readAudit } from '../features/people/audit/index.ts';
import { takeSecondFactor } from '../features/people/auth/index.ts';
import { recordAuditEvent } from '../platform/audit/audit-events.ts';
import type { Services } from '../platform/http/app.ts';
import { startBoss } from '../platform/job-queue/boss.ts';
import { createJobQueue } from '../platform/job-queue/boss-queue.ts';
import { createObjectStorage } from '../platform/object-storage/create-object-storage.ts';
import { createResultTables } from '../platform/result-tables/result-tables.ts';
import { type Arguments, type Command, InputError, type OperationName, type Result, table } from './admin-command.ts';

const RUNS: Record<OperationName, Command['run']> = {
  'operators list': showOperators,
  'operators add': (foundation, given, by) => setOperator(foundation, given, by, true),
  'operators remove': (foundation, given, by) => setOperator(foundation, given, by, false),
  'second-factor remove': dropSecondFactor,
  'organizations list': showOrganizations,
  'organizations quotas': setQuotas,
  queue: showQueue,
  'runs failed': showFailedRuns,
  'runs retry': retryRun,
  'mails list': showMails,
  'mails retry': retryMail,
  'audit list': showAudit,
  'storage verify': showStorage,
};

export const runOperation = (name: OperationName, ...given: Parameters<Command['run']>): Promise<Result> =>
  RUNS[name](...given);

/** Entries of lists that only grow. */
const SHOWN = 200;
const PAGE = 100;

/** All entries of a list, or the latest. */
async function readAll<Item>(
  read: (listing: { limit: number; cursor?: string }) => Promise<Page<Item>>,
  most = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await read({ limit: PAGE, ...(cursor ? { cursor } : {}) });
    items.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && items.length < most);
  return items;
}

async function showOperators({ db }: Foundation): Promise<Result> {
  const operators = (await listOperators(db)).map(({ email, name }) => ({ email, name }));
  return {
    document: { operators },
    lines: table(
      ['EMAIL', 'NAME'],
      operators.map(({ email, name }) => [email, name ?? '-']),
      'There are no operators. Add one: npm run admin -- operators add EMAIL',
    ),
  };
}

async function setOperator(
  { db }: Foundation,
  { emails: [email = ''] }: Arguments,
  by: { email: string },
  isNow: boolean,
): Promise<Result> {
  await db.transaction().execute(async (trx) => {
    const user = await updateOperator(trx, email, isNow);
    if (user === undefined)
      throw new InputError({
        code: 'admin/no-account',
        message: `${email} has no account.`,
        suggestion: 'Operators sign in as everybody else: let the person ask for an account first.',
      });
    await recordAuditEvent(trx, {
      action: isNow ? 'operator.added' : 'operator.removed',
      actor: by,
      targetType: 'user',
      targetId: user.id,
      details: { email },
    });
  });
  return {
    document: { email, is_operator: isNow },
    lines: [`${email} is ${isNow ? 'an operator now' : 'no operator any more'}`],
  };
}

/** For somebody who has lost device and recovery codes. */
async function dropSecondFactor(
  { db, mailer, config }: Foundation,
  { emails: [email = ''] }: Arguments,
  by: { email: string },
): Promise<Result> {
  const user = await findUserByEmail(db, email);
  if (user === undefined) throw new InputError({ code: 'admin/no-account', message: `${email} has no account.` });
  await takeSecondFactor({ db, mailer, config }, { userId: user.id, email: user.email }, by);
  return { document: { email, second_factor: false }, lines: [`${email} signs in without a second factor now`] };
}

const orNone = (value: number | null): string => (value === null ? 'no limit' : String(value));

async function showOrganizations({ db, config }: Foundation): Promise<Result> {
  const organizations = await readAll((listing) =>
    listOperatedOrganizations({ services: { db, config } }, { query: listing }),
  );
  return {
    document: { organizations },
    lines: table(
      ['ID', 'NAME', 'SEATS', 'STORAGE', 'OF', 'RUNS', 'OF', 'DELETED'],
      organizations.map((one) => [
        one.id,
        one.name,
        `${one.seat_usage}/${one.seat_total}`,
        String(one.storage_used_bytes),
        orNone(one.storage_quota_bytes),
        String(one.runs_unfinished),
        orNone(one.run_quota),
        one.deleted_at ?? '-',
      ]),
    ),
  };
}

async function setQuotas(
  { db, config }: Foundation,
  { id, storage, runs }: Arguments,
  by: { email: string },
): Promise<Result> {
  const before = await findOrganizationToOperate({ db, config }, id);
  const organization = await changeQuotas(
    { services: { db, config }, principal: by },
    {
      id,
      body: {
        storage_bytes: storage === undefined ? before.own_storage_quota_bytes : storage,
        runs: runs === undefined ? before.own_run_quota : runs,
      },
    },
  );
  return {
    document: { organization },
    lines: [
      `${organization.name}: storage ${orNone(organization.storage_quota_bytes)}, runs ${orNone(organization.run_quota)}`,
    ],
  };
}

async function showQueue({ db }: Foundation): Promise<Result> {
  const lanes = await listQueueDepths(db);
  return {
    document: { lanes },
    lines: table(
      ['LANE', 'WAITING', 'RUNNING', 'OLDEST WAITS (S)'],
      lanes.map((one) => [
        one.lane,
        String(one.waiting),
        String(one.running),
        one.oldest_waiting_seconds === null ? '-' : one.oldest_waiting_seconds.toFixed(0),
      ]),
      'Nothing waits or runs.',
    ),
  };
}

const cells = <Row extends object>(row: Row, ...names: (keyof Row)[]): string[] =>
  names.map((name) => String(row[name] ?? '-'));

async function showFailedRuns({ db }: Foundation): Promise<Result> {
  const runs = await readAll((listing) => listRunsToRepeat({ services: { db } }, { query: listing }), SHOWN);
  return {
    document: { runs },
    lines: table(
      ['ID', 'ORGANIZATION', 'KIND', 'STEP', 'CODE', 'ATTEMPTS', 'ENDED'],
      runs.map((one) => cells(one, 'id', 'organization', 'kind', 'step', 'code', 'attempts', 'finished_at')),
      'No run has failed for reasons of the installation.',
    ),
  };
}

async function retryRun(foundation: Foundation, { id }: Arguments, by: { email: string }): Promise<Result> {
  await withServices(foundation, (services) =>
    repeatFailedRun({ services, principal: by, repeatable: repeatable(services) }, { id }),
  );
  return { document: { id }, lines: [`${id} begins again`] };
}

async function showMails({ db }: Foundation): Promise<Result> {
  const mails = await readAll((listing) => listOperatedMails({ services: { db } }, { query: listing }), SHOWN);
  return {
    document: { mails },
    lines: table(
      ['ID', 'TO', 'SUBJECT', 'STATE', 'ATTEMPTS', 'ERROR', 'TIME'],
      mails.map((one) => cells(one, 'id', 'to', 'subject', 'state', 'attempts', 'error', 'updated_at')),
    ),
  };
}

async function retryMail(foundation: Foundation, { id }: Arguments, by: { email: string }): Promise<Result> {
  await withServices(foundation, (services) =>
    repeatFailedMail({ services, principal: by, repeatable: repeatable(services) }, { id }),
  );
  return { document: { id }, lines: [`${id} is sent again`] };
}

async function showAudit({ db }: Foundation): Promise<Result> {
  const events = await readAll((listing) => readAudit(db, 'installation', listing), SHOWN);
  return {
    document: { events },
    lines: table(
      ['TIME', 'WHO', 'ACTION', 'TARGET', 'DETAILS'],
      events.map((one) => [
        one.created_at,
        one.actor?.email ?? '-',
        one.action,
        one.target_id ?? '-',
        JSON.stringify(one.details),
      ]),
    ),
  };
}

/** With the queue and the storage, which most commands do without. */
async function withServices(
  { config, logger, db, mailer, databaseUrl }: Foundation,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  const boss = await startBoss({ url: databaseUrl, logger, role: 'sender' });
  try {
    const { storage } = createObjectStorage(config);
    const tables = createResultTables({ storage, directory: config.dataDir });
    await work({ config, db, logger, storage, jobs: createJobQueue(boss, db), mailer, tables });
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function showStorage({ config, db }: Foundation, { hashes }: Arguments): Promise<Result> {
  const { storage } = createObjectStorage(config);
  const report = await verifyStorage({ db, storage }, { hashes });
  const { missing, orphans, damaged } = report;
  return {
    document: { storage: report },
    lines: [
      `${report.objects} files, ${report.bytes} bytes; ${missing.length} missing, ${orphans.length} that no row names${
        hashes ? `, ${damaged.length} damaged` : ''
      }.`,
      ...orphans.map(({ key, sizeBytes }) => `No row names ${key} (${sizeBytes} bytes).`),
    ],
    issues: [
      ...missing.map(({ key, table: name }) => ({
        code: 'admin/object-missing',
        message: `${key} is not in the storage, though ${name} names it.`,
        suggestion: 'Bring the file back from a backup.',
      })),
      ...damaged.map(({ key }) => ({
        code: 'admin/object-damaged',
        message: `${key} differs from the SHA-256 of its row.`,
        suggestion: 'Bring the file back from a backup.',
      })),
    ],
  };
}
