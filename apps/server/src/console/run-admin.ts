import { hostname, userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { email as emailAddress } from '@heterosis/contracts/people/auth';
import {
  describeStartFailure,
  type Foundation,
  hasEmbeddedDatabase,
  openFoundation,
} from '../entrypoints/foundation.ts';
import { findPublicUrl } from '../entrypoints/public-address.ts';
import { findUserByEmail, listRegistrations, type RegistrationStatus } from '../features/people/accounts/index.ts';
import {
  approveRegistrations,
  CUSTOM_TOKEN_SECONDS,
  createKeyRing,
  type Decision,
  listSigningKeyStates,
  makeCustomToken,
  rejectRegistrations,
  rotateSigningKeys,
  sendApprovalMail,
  sendRejectionMail,
  UndecidableRegistrationsError,
  UnreadableKeyError,
} from '../features/people/auth/index.ts';
import { recordAuditEvent } from '../platform/audit/audit-events.ts';
import { type Config, loadConfig } from '../platform/config/config.ts';
import { ConfigError } from '../platform/config/config-error.ts';
import { DatabaseNotMigratedError, migrateToLatest, requireMigrated } from '../platform/database/migrate.ts';
import { Problem } from '../platform/http/problem.ts';
import {
  type Arguments,
  type Command,
  InputError,
  type Issue,
  OPERATIONS,
  OPTION_NAMES,
  type OperationName,
  type Result,
  table,
} from './admin-command.ts';
import { ADMIN_HELP } from './admin-help.ts';

const EXIT_FAILURE = 1;
const EXIT_BAD_INPUT = 2;

const COMMANDS: Record<string, Command> = {
  'registrations list': { takes: 'nothing', options: ['status'], run: showRegistrations },
  'registrations approve': { takes: 'emails', mails: true, run: approve },
  'registrations reject': { takes: 'emails', options: ['reason'], mails: true, run: reject },
  'custom-token': { takes: 'one email', run: showCustomToken },
  'keys list': { takes: 'nothing', run: showKeys },
  'keys rotate': { takes: 'nothing', options: ['revoke'], run: rotateKeys },
  ...Object.fromEntries(Object.entries(OPERATIONS).map(([name, shape]) => [name, operation(name, shape)])),
};

function operation(name: string, shape: Omit<Command, 'run'>): Command {
  return {
    ...shape,
    run: async (...given) => (await import('./admin-operation.ts')).runOperation(name as OperationName, ...given),
  };
}

/** Where the command is called. */
export interface Console {
  environment: NodeJS.ProcessEnv;
  /** For the result alone. */
  print: (text: string) => void;
  /** For everything else. */
  printError: (text: string) => void;
}

/** Runs one command and returns its exit code. */
export async function runAdmin(args: string[], at: Console): Promise<number> {
  const asJson = args.includes('--json');
  try {
    if (args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')) {
      at.print(ADMIN_HELP);
      return 0;
    }
    const { command, given } = readArguments(args);
    const { document, lines, issues = [] } = await runCommand(command, given, at);
    at.print(asJson ? `${JSON.stringify(document, null, 2)}\n` : lines.map((line) => `${line}\n`).join(''));
    showIssues(issues, asJson, at);
    return issues.length === 0 ? 0 : EXIT_FAILURE;
  } catch (error) {
    if (error instanceof InputError) {
      showIssues(error.issues, asJson, at);
      return EXIT_BAD_INPUT;
    }
    const isConfiguration = error instanceof ConfigError;
    const code = isConfiguration ? 'admin/configuration' : 'admin/failed';
    showIssues([{ code, message: describeStartFailure(error) }], asJson, at);
    return isConfiguration ? EXIT_BAD_INPUT : EXIT_FAILURE;
  }
}

async function runCommand(command: Command, given: Arguments, { environment, printError }: Console): Promise<Result> {
  const config = loadConfig(environment);
  if (config.database.url === undefined) requireEmbeddedDatabase(config);
  try {
    const opened = await openFoundation({
      // Standard output is reserved for the result.
      config: { ...config, log: { ...config.log, level: 'silent' } },
      // A database shared by servers is migrated together with them, by migrate.ts.
      prepare: config.database.url === undefined ? migrateToLatest : requireMigrated,
      print: (line) => printError(`${line}\n`),
    });
    try {
      const foundation = await atServerAddress(opened, command);
      return await command.run(foundation, given, operatorAtConsole());
    } finally {
      await opened.close();
    }
  } catch (error) {
    throw toInputError(error) ?? error;
  }
}

/** In a wrong directory, a new empty database would be created and every list would be empty. */
function requireEmbeddedDatabase(config: Config): void {
  if (hasEmbeddedDatabase(config)) return;
  throw new InputError({
    code: 'admin/no-database',
    message: `There is no Heterosis database in ${config.dataDir}.`,
    suggestion: 'Set DATA_DIR or DATABASE_URL as for the server, or start the server once.',
  });
}

/** Links in mails lead to the server that runs, whatever this console would call it. */
async function atServerAddress(foundation: Foundation, { mails }: Command): Promise<Foundation> {
  if (mails !== true) return foundation;
  const publicUrl = await findPublicUrl(foundation.db);
  if (publicUrl !== undefined) return { ...foundation, config: { ...foundation.config, publicUrl } };
  throw new InputError({
    code: 'admin/no-server-address',
    message:
      'No server has been started with this database since its address is kept, so links in mails would lead nowhere.',
    suggestion: 'Start the server once, and repeat the command.',
  });
}

async function showRegistrations({ db }: Foundation, { status }: Arguments): Promise<Result> {
  const registrations = await listRegistrations(db, status);
  const which = status === undefined ? '' : ` ${status.toLowerCase()}`;
  return {
    document: { registrations },
    lines:
      registrations.length === 0
        ? [`There are no${which} requests for an account.`]
        : table(
            ['EMAIL', 'STATUS', 'ASKED', 'DECIDED', 'BY'],
            registrations.map((one) => [
              one.email,
              one.status,
              one.created_at,
              one.decided_at ?? '-',
              one.decided_by ?? '-',
            ]),
          ),
  };
}

async function approve(foundation: Foundation, { emails }: Arguments, operator: { email: string }): Promise<Result> {
  const decisions = await approveRegistrations(foundation.db, emails, operator);
  return decisionResult(decisions, foundation.config, async (decision) => {
    if (decision.outcome === 'approved') await sendApprovalMail(foundation, decision.user, decision.returnTo);
  });
}

async function reject(
  foundation: Foundation,
  { emails, reason }: Arguments,
  operator: { email: string },
): Promise<Result> {
  const decisions = await rejectRegistrations(foundation.db, emails, operator, reason);
  return decisionResult(decisions, foundation.config, async (decision) => {
    if (decision.outcome === 'rejected') await sendRejectionMail(foundation, decision.email, reason);
  });
}

/** Mails are sent after the commit, so that a refused one changes no decision and delays no other. */
async function decisionResult(
  decisions: Decision[],
  { publicUrl }: Config,
  sendMail: (decision: Decision) => Promise<void>,
): Promise<Result> {
  const issues: Issue[] = [];
  const mailed = new Set<string>();
  for (const decision of decisions) {
    if (decision.outcome !== 'approved' && decision.outcome !== 'rejected') continue;
    try {
      await sendMail(decision);
      mailed.add(decision.email);
    } catch (error) {
      issues.push({
        code: 'admin/mail-not-sent',
        message: `${decision.email} was ${decision.outcome}, but the mail was not taken: ${(error as Error).message}.`,
        suggestion: `Check SMTP_URL; the person can be told to sign in at ${publicUrl}.`,
      });
    }
  }
  return {
    document: {
      registrations: decisions.map(({ email, outcome }) => ({ email, outcome, mailed: mailed.has(email) })),
    },
    lines: decisions.map(({ email, outcome }) => `${email} ${SENTENCES[outcome]}`),
    issues,
  };
}

const SENTENCES: Record<Decision['outcome'], string> = {
  approved: 'is approved',
  rejected: 'is rejected',
  'already-registered': 'has an account already; nothing changed',
  'already-rejected': 'was rejected before; nothing changed',
};

async function showCustomToken(
  { db, config }: Foundation,
  { emails }: Arguments,
  operator: { email: string },
): Promise<Result> {
  const [email = ''] = emails;
  const user = await findUserByEmail(db, email);
  if (user === undefined)
    throw new InputError({
      code: 'admin/no-account',
      message: `${email} has no account.`,
      suggestion: 'See who asked for one: npm run admin -- registrations list',
    });
  if (user.disabled_at !== null)
    throw new InputError({ code: 'admin/account-disabled', message: `The account of ${email} is disabled.` });
  const token = await makeCustomToken(createKeyRing(db, config.secretKey), user.id);
  await recordAuditEvent(db, {
    action: 'custom-token.created',
    actor: operator,
    targetType: 'user',
    targetId: user.id,
  });
  return {
    document: { token, expires_in: CUSTOM_TOKEN_SECONDS, user: { id: user.id, email: user.email } },
    lines: [token],
  };
}

async function showKeys({ db }: Foundation): Promise<Result> {
  const keys = await listSigningKeyStates(db);
  return {
    document: { keys },
    lines:
      keys.length === 0
        ? ['There are no keys yet: the first server that starts makes one.']
        : table(
            ['KEY', 'MADE', 'STATE'],
            keys.map((key) => [
              key.id,
              key.created_at,
              key.verifies_until === null ? 'signs' : `verifies until ${key.verifies_until}`,
            ]),
          ),
  };
}

async function rotateKeys(
  { db, config }: Foundation,
  { revoke }: Arguments,
  operator: { email: string },
): Promise<Result> {
  const key = await rotateSigningKeys(db, config.secretKey, revoke);
  await recordAuditEvent(db, {
    action: 'signing-keys.rotated',
    actor: operator,
    targetType: 'signing-key',
    details: { key, revoked: revoke },
  });
  return {
    document: { key, revoked: revoke },
    lines: [
      `${key} signs from now on; running servers take it up within a minute.`,
      revoke
        ? 'The old keys are deleted: what they signed is void within a minute.'
        : 'What the old keys signed stays valid until it expires.',
    ],
  };
}

function readArguments(args: string[]): { command: Command; given: Arguments } {
  const { values, positionals } = parse(args);
  const [first = '', second = ''] = positionals;
  const name = Object.hasOwn(COMMANDS, first) ? first : `${first} ${second}`.trim();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw usage(`There is no command "${name}".`);

  const operands = positionals.slice(name.split(' ').length);
  const { takes, options = [] } = command;
  const what = takes === 'id' ? 'an id' : 'an e-mail address';
  if (takes === 'nothing' && operands.length > 0) throw usage(`"${name}" takes no "${operands[0]}".`);
  if (takes !== 'nothing' && operands.length === 0) throw usage(`"${name}" needs ${what}.`);
  if ((takes === 'one email' || takes === 'id') && operands.length > 1)
    throw usage(`"${name}" takes ${what.replace(/^an /, 'one ')}.`);
  for (const option of OPTION_NAMES)
    if (values[option] !== undefined && !options.includes(option)) throw usage(`"${name}" has no option --${option}.`);

  const emails = takes === 'id' ? [] : operands;
  const wrong = emails.filter((email) => !emailAddress.safeParse(email).success);
  if (wrong.length > 0)
    throw new InputError(
      ...wrong.map((email) => ({ code: 'admin/invalid-email', message: `"${email}" is not an e-mail address.` })),
    );
  return {
    command,
    given: {
      emails: emails.map((email) => email.toLowerCase()),
      id: takes === 'id' ? (operands[0] ?? '') : '',
      status: readStatus(values.status),
      reason: readReason(values.reason),
      revoke: values.revoke === true,
      hashes: values.hashes === true,
      storage: readQuota('--storage', values.storage),
      runs: readQuota('--runs', values.runs),
    },
  };
}

function readQuota(option: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'default') return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`${option} cannot be "${text}": it is a whole number, or "default".`);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        status: { type: 'string' },
        reason: { type: 'string' },
        revoke: { type: 'boolean' },
        hashes: { type: 'boolean' },
        storage: { type: 'string' },
        runs: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Drop Node's hint about "--": it concerns arguments that begin with a dash, which addresses never do.
    throw usage(`${error.message.split('. ', 1)[0]}.`);
  }
}

function readStatus(status = 'pending'): RegistrationStatus | undefined {
  switch (status.toLowerCase()) {
    case 'all':
      return undefined;
    case 'pending':
      return 'PENDING';
    case 'approved':
      return 'APPROVED';
    case 'rejected':
      return 'REJECTED';
  }
  throw usage(`--status cannot be "${status}": it is pending, approved, rejected or all.`);
}

function readReason(reason: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  const text = reason.trim();
  if (text === '') throw usage('--reason is empty.');
  return text;
}

function usage(message: string): InputError {
  return new InputError({ code: 'admin/usage', message, suggestion: 'Run: npm run admin -- --help' });
}

/** Turns failures that the operator can correct into messages; undefined for any other. */
function toInputError(error: unknown): InputError | undefined {
  if (error instanceof UndecidableRegistrationsError)
    return new InputError(
      ...error.reasons.map(({ email, code }) =>
        code === 'no-request'
          ? {
              code: 'admin/no-request',
              message: `${email} has not asked for an account.`,
              suggestion: 'Check the spelling: npm run admin -- registrations list --status all',
            }
          : {
              code: 'admin/has-account',
              message: `${email} has an account already, so there is no request to reject.`,
            },
      ),
    );
  if (error instanceof Problem) return new InputError({ code: error.code, message: error.message });
  if (error instanceof UnreadableKeyError)
    return new InputError({ code: 'admin/wrong-secret-key', message: error.message });
  if (error instanceof DatabaseNotMigratedError)
    return new InputError({ code: 'admin/database-not-ready', message: error.message });
  return undefined;
}

/** The account at the console, for the audit trail. */
function operatorAtConsole(): { email: string } {
  try {
    return { email: `${userInfo().username}@${hostname()}` };
  } catch {
    // In a container, the user id may have no name.
    return { email: `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}` };
  }
}

function showIssues(issues: Issue[], asJson: boolean, { printError }: Console): void {
  for (const { code, message, suggestion } of issues) {
    const text = asJson
      ? JSON.stringify({ code, message, suggestion: suggestion ?? null })
      : `${code}: ${message}${suggestion === undefined ? '' : ` ${suggestion}`}`;
    printError(`${text}\n`);
  }
}
