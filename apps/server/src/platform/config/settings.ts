import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod';
import { offlinePrices } from './billing-config.ts';
import { isLoopback, isSafeIssuer } from './sign-in-config.ts';

/** One setting: how it is parsed and how docs/configuration.md describes it. */
interface Setting<Value> {
  schema: z.ZodType<Value, string | undefined>;
  /** The default in words, for the document. */
  fallback: string;
  meaning: string;
}

const setting = <Value>(
  schema: z.ZodType<Value, string | undefined>,
  fallback: string,
  meaning: string,
): Setting<Value> => ({ schema, fallback, meaning });

const text = z.string().trim().min(1, 'must not be empty');
const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
const decimal = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
const flag = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on');
const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol),
      `must be a URL starting with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );

/** A trusted proxy: an address, a network, or a name for the private ranges. */
const isNetwork = (text: string): boolean => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return bits > 0 && (prefix === undefined || Number(prefix) <= bits);
};

const networks = z
  .string()
  .transform((list) => list.split(',').map((one) => one.trim()))
  .refine((list) => list.every(isNetwork), 'must be addresses or networks such as 10.0.0.0/8, separated by commas');

/** The same without names, each with the number of its bits. */
const networksOnly = networks
  .refine((list) => list.every((one) => /\d|:/.test(one)), 'must be addresses or networks such as 10.0.0.0/8')
  .transform((list) => list.map((one) => (one.includes('/') ? one : `${one}/${isIP(one) === 4 ? 32 : 128}`)));

/** Login shells, su and ssh set MAIL to the path of the user's mailbox (POSIX). Ignore paths. */
const notMailbox = (value: string | undefined): string | undefined => (value?.includes('/') ? undefined : value);

const GIB = 1024 ** 3;

export const SETTINGS = {
  HOST: setting(text.default('127.0.0.1'), '127.0.0.1', 'Address to listen on; `0.0.0.0` for all interfaces.'),
  PORT: setting(integer(0, 65_535).default(3000), '3000', 'Port to listen on; 0 lets the system choose.'),
  DATA_DIR: setting(
    text.default('var').transform((dir) => resolve(dir)),
    'var',
    'Directory of the embedded database, of files on the local disk and of secrets.',
  ),
  PUBLIC_URL: setting(
    url('http:', 'https:')
      .transform((value) => value.replace(/\/+$/, ''))
      .optional(),
    'http://HOST:PORT',
    'Address under which browsers reach the server; used in mailed links and signed URLs.',
  ),
  DATABASE_URL: setting(
    url('postgres:', 'postgresql:').optional(),
    'embedded PostgreSQL in DATA_DIR',
    'PostgreSQL 15 or newer, `postgres://user:password@host:5432/database`.',
  ),
  DATABASE_POOL: setting(integer(2, 200).default(20), '20', 'Most database connections a process opens for requests.'),
  DATABASE_WAIT_SECONDS: setting(
    integer(0, 3_600).default(60),
    '60',
    'How long a starting process waits for a database that cannot be reached.',
  ),
  SECRET_KEY: setting(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'made once and kept in DATA_DIR/secrets',
    'Signs storage links and seals keys at rest. Set the same value on every machine.',
  ),
  STORAGE: setting(z.enum(['local', 's3'], 'must be local or s3').default('local'), 'local', 'Where files are kept.'),
  S3_ENDPOINT: setting(
    url('http:', 'https:').optional(),
    'AWS',
    'Address of an S3-compatible service; not needed for AWS.',
  ),
  S3_REGION: setting(text.default('us-east-1'), 'us-east-1', 'Region of the bucket.'),
  S3_BUCKET: setting(text.optional(), '', 'Bucket; needed with STORAGE=s3.'),
  S3_ACCESS_KEY_ID: setting(text.optional(), '', 'Access key; needed with STORAGE=s3.'),
  S3_SECRET_ACCESS_KEY: setting(text.optional(), '', 'Secret of the access key; needed with STORAGE=s3.'),
  S3_FORCE_PATH_STYLE: setting(
    flag.default(false),
    'off',
    'on puts the bucket into the path instead of the host name (MinIO and others).',
  ),
  MAIL: setting(
    z.preprocess(notMailbox, z.enum(['outbox', 'smtp'], 'must be outbox or smtp').default('outbox')),
    'outbox',
    'outbox stores mails and prints their links on the console; smtp sends them.',
  ),
  OUTBOX_KEY: setting(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'made once, kept in DATA_DIR/secrets and printed at start',
    'Opens the outbox, in which every sign-in link can be read. MAIL=outbox on an address that other machines reach needs one that you choose.',
  ),
  SMTP_URL: setting(
    url('smtp:', 'smtps:').optional(),
    '',
    'Mail server, `smtp://user:password@host:587`; needed with MAIL=smtp.',
  ),
  MAIL_FROM: setting(
    text.default('Heterosis <no-reply@localhost>'),
    'Heterosis <no-reply@localhost>',
    'Sender of mails.',
  ),
  REGISTRATION: setting(
    z.enum(['open', 'approval'], 'must be open or approval').optional(),
    'open with the embedded database, else approval',
    'Whether a request for an account is approved at once or by an operator.',
  ),
  SUPPORT_URL: setting(
    url('http:', 'https:').optional(),
    '',
    'Page where users get help from your team; linked from the footer and from the help.',
  ),
  SUPPORT_EMAIL: setting(
    z.email('must be an e-mail address').optional(),
    '',
    'Address of your support, used where SUPPORT_URL is not set.',
  ),
  AUTH_PROVIDER: setting(
    z.enum(['builtin', 'firebase'], 'must be builtin or firebase').default('builtin'),
    'builtin',
    'Who mails sign-in links: this server, or Firebase Authentication.',
  ),
  EMAIL_LINKS: setting(
    flag.default(true),
    'on',
    'off: nobody signs in by a mailed link, only by the provider of OIDC_ISSUER.',
  ),
  OIDC_ISSUER: setting(
    z.string().refine(isSafeIssuer, 'must be a URL starting with https:// (http:// on this machine only)').optional(),
    '',
    'OpenID Connect provider that people can sign in with (Keycloak, ORCID, Google and others). Its redirect address is `PUBLIC_URL/api/auth/oidc/callback`.',
  ),
  OIDC_CLIENT_ID: setting(text.optional(), '', 'Client id at the provider; needed with OIDC_ISSUER.'),
  OIDC_CLIENT_SECRET: setting(text.optional(), '', 'Its secret; needed with OIDC_ISSUER.'),
  OIDC_NAME: setting(text.optional(), 'host of OIDC_ISSUER', 'What the sign-in button calls the provider.'),
  FIREBASE_PROJECT_ID: setting(text.optional(), '', 'Project of Firebase; needed with AUTH_PROVIDER=firebase.'),
  FIREBASE_API_KEY: setting(text.optional(), '', 'Web API key of the project; needed with AUTH_PROVIDER=firebase.'),
  FIREBASE_AUTH_DOMAIN: setting(
    text.optional(),
    'FIREBASE_PROJECT_ID.firebaseapp.com',
    'Domain of the sign-in pages of the project.',
  ),
  FIREBASE_AUTH_EMULATOR_HOST: setting(
    z
      .string()
      .refine(
        (host) => URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname),
        'must be host:port of this machine',
      )
      .optional(),
    '',
    'Auth emulator in place of Google, for tests. It trusts everybody.',
  ),
  BILLING: setting(
    z.enum(['offline', 'stripe'], 'must be offline or stripe').default('offline'),
    'offline',
    'offline takes the prices from BILLING_PRICES and changes seats at once; stripe charges cards through Stripe.',
  ),
  BILLING_PRICES: setting(
    offlinePrices,
    '$120 a seat and year',
    'Prices of BILLING=offline as JSON: `[{"id", "nickname", "unit_amount", "currency", "notes", "features"}]`; `unit_amount` is that of one seat and year in cents.',
  ),
  BILLING_CONTACT: setting(
    url('http:', 'https:', 'mailto:').optional(),
    'SUPPORT_URL, SUPPORT_EMAIL',
    'Where other ways to pay are asked for, for example an academic licence.',
  ),
  FREE_SEATS: setting(
    integer(1, 10_000).optional(),
    '10, with BILLING=stripe 1',
    'Seats of an organization without a subscription.',
  ),
  STRIPE_SECRET_KEY: setting(text.optional(), '', 'Secret API key of Stripe; needed with BILLING=stripe.'),
  STRIPE_PUBLISHABLE_KEY: setting(
    text.optional(),
    '',
    'Publishable key for the card entry; needed with BILLING=stripe.',
  ),
  STRIPE_WEBHOOK_SECRET: setting(
    text.optional(),
    '',
    'Signing secret of the webhook endpoint `PUBLIC_URL/api/stripe/webhook`; needed with BILLING=stripe.',
  ),
  STRIPE_PRODUCT: setting(text.optional(), 'all products', 'Product whose yearly prices are offered.'),
  STRIPE_API_URL: setting(url('http:', 'https:').optional(), 'https://api.stripe.com', 'Another host, for tests.'),
  DEMO: setting(
    flag.optional(),
    'on with the embedded database, else off',
    'Creates a demo organization in an empty database.',
  ),
  RATE_LIMIT: setting(
    integer(0, 1_000_000).default(3000),
    '3000',
    'API requests a minute that one address may make; 0 for no limit.',
  ),
  TRUST_PROXY: setting(
    networks.optional(),
    'none',
    'Addresses or networks of reverse proxies whose X-Forwarded-For is believed, separated by commas.',
  ),
  OUTGOING_NETWORKS: setting(
    networksOnly.default([]),
    'none',
    'Private addresses or networks that webhooks and imports from other servers may call, separated by commas.',
  ),
  LOG_LEVEL: setting(
    z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'must be trace, debug, info, warn, error or silent')
      .default('info'),
    'info',
    'Least severity that is logged.',
  ),
  LOG_FORMAT: setting(
    z.enum(['json', 'pretty'], 'must be json or pretty').optional(),
    'pretty on a terminal, else json',
    'Shape of log lines.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    url('http:', 'https:').optional(),
    'no traces',
    'OpenTelemetry collector (OTLP over HTTP) that takes traces of requests, jobs and computations, for example `http://collector:4318`. They hold ids, no names or values. The share that is sent and the headers are set by the variables of its SDK (`OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`).',
  ),
  WORKER_CONCURRENCY: setting(
    integer(1, 256).default(2),
    '2',
    'Long jobs (training, GWAS, crossing simulations) a worker process runs at the same time; as many short ones (file checks, predictions) run beside them.',
  ),
  WORKER_MEMORY_MB: setting(
    integer(256, 2_000_000_000).optional(),
    '90 % of the memory of the machine or container; with `COMPUTE=slurm` no limit',
    'Memory that a worker offers its jobs, in MB. Runs that need more wait for a larger worker, and runs that do not fit together run one after the other.',
  ),
  COMPUTE: setting(
    z.enum(['local', 'slurm'], 'must be local or slurm').default('local'),
    'local',
    'Where workers compute: in processes of their own, or as jobs of a Slurm cluster. With `slurm`, DATA_DIR and the program lie where the nodes see them too, under the same paths.',
  ),
  SLURM_OPTIONS: setting(
    text.transform((options) => options.split(/\s+/)).optional(),
    '',
    'Further options of sbatch, for example `--partition=long --account=breeding --time=2-0`.',
  ),
  COMPUTE_THREADS: setting(
    integer(1, 512).optional(),
    'cores divided by WORKER_CONCURRENCY',
    'Threads of one numeric job.',
  ),
  COMPUTE_MEMORY_MB: setting(
    integer(128, 4_194_304).default(4096),
    '4096',
    'Most JavaScript heap of one numeric job, in MB; a job above it fails, the worker goes on.',
  ),
  CHUNK_GFLOP: setting(
    decimal(0.001, 1_000_000_000).default(400),
    '400',
    'Arithmetic of one chunk of a long run, in GFLOP: smaller chunks spread over more workers.',
  ),
  TILE_MARKERS: setting(
    integer(64, 16_384).default(8192),
    '8192',
    'Most markers on a side of the tiles by which workers share the cross-product of a large training.',
  ),
  MAX_UPLOAD_BYTES: setting(integer(1, 1024 * GIB).default(10 * GIB), '10 GiB', 'Largest file accepted.'),
  MAX_INFLATED_BYTES: setting(
    integer(1, 16_384 * GIB).default(200 * GIB),
    '200 GiB',
    'Largest size that a compressed genotype file may unpack to; for tables it is 400 MB.',
  ),
  RESERVED_DISK_BYTES: setting(
    integer(0, 1024 * GIB).optional(),
    '1 GiB, or 5 % of a disk below 20 GiB',
    'Free bytes of the disk of DATA_DIR that files may not take: uploads and results are refused (507), and jobs wait, before the database runs out of space.',
  ),
  ORGANIZATION_STORAGE_BYTES: setting(
    integer(0, 1024 * 1024 * GIB).optional(),
    'no limit',
    'Bytes of files that an organization may store, unless an operator gave it a quota of its own.',
  ),
  ORGANIZATION_RUNS: setting(
    integer(0, 100_000).optional(),
    'no limit',
    'Runs that an organization may have waiting or under way, unless an operator gave it a quota of its own.',
  ),
} satisfies Record<string, Setting<unknown>>;

export type Settings = { [Key in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Key]['schema']> };

/** Variables that other programs and the compute processes read. */
const READ_ELSEWHERE = {
  HETEROSIS_BLAS: {
    fallback: 'OpenBLAS of the system, else the built-in linear algebra',
    meaning: 'Path of the BLAS/LAPACK library for numerics; `none` for the built-in one.',
  },
  OPENBLAS_CORETYPE: {
    fallback: 'chosen for the processor',
    meaning: 'Kernels of OpenBLAS; set by itself where an older OpenBLAS does not know the processor.',
  },
  HETEROSIS_API: {
    fallback: 'http://127.0.0.1:3000',
    meaning: 'Server that `npx vite apps/web` passes API requests on to; development only.',
  },
  CHROMIUM_PATH: {
    fallback: 'Chromium of the system, else the one that set-up unpacked',
    meaning: 'Browser of the end-to-end tests.',
  },
};

/** The table of docs/configuration.md. */
export function configurationTable(): string {
  const rows = Object.entries({ ...SETTINGS, ...READ_ELSEWHERE }).map(
    ([name, { fallback, meaning }]) => `| \`${name}\` | ${fallback === '' ? '–' : fallback} | ${meaning} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}
