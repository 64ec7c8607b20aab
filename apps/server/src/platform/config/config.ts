import type { BillingConfig } from './billing-config.ts';
import { ConfigError } from './config-error.ts';
import { makeDataDirectory } from './data-directory.ts';
import { readOrCreateSecret } from './secrets.ts';
import { SETTINGS, type Settings } from './settings.ts';
import { isLoopback, type SignInConfig } from './sign-in-config.ts';

export type StorageConfig =
  | { kind: 'local' }
  | {
      kind: 's3';
      endpoint: string | undefined;
      region: string;
      bucket: string;
      accessKeyId: string;
      secretAccessKey: string;
      forcePathStyle: boolean;
    };

/** `key` opens the outbox. */
export type MailConfig = { kind: 'outbox'; from: string; key: string } | { kind: 'smtp'; url: string; from: string };

/** The whole configuration, read once at start and handed down. */
export interface Config {
  host: string;
  port: number;
  /** Absolute. */
  dataDir: string;
  /** No trailing slash. */
  publicUrl: string;
  database: { url: string | undefined; pool: number; waitSeconds: number };
  secretKey: string;
  storage: StorageConfig;
  mail: MailConfig;
  registration: 'open' | 'approval';
  /** Where users reach the people who run this installation: an https or mailto address; null when none is given. */
  support: string | null;
  billing: BillingConfig;
  signIn: SignInConfig;
  demo: boolean;
  /** API requests a minute and address; 0 for no limit. */
  rateLimit: number;
  /** Proxies whose X-Forwarded-For is trusted; false for none. */
  trustProxy: string[] | false;
  /** Private networks that may be called at addresses which people give, as `10.0.0.0/8`. */
  outgoingNetworks: string[];
  log: { level: string; format: 'json' | 'pretty' };
  /** `memoryMb` undefined: what the machine has. */
  worker: { concurrency: number; memoryMb: number | undefined };
  /** `threads` undefined: cores divided by the worker's concurrency. */
  compute: {
    threads: number | undefined;
    memoryMb: number;
    chunkGflop: number;
    tileMarkers: number;
    /** When the numbers are computed in a Slurm cluster. */
    slurm?: { options: string[] };
  };
  limits: { uploadBytes: number; inflatedBytes: number; reservedDiskBytes: number | undefined };
  /** What an organization may use without a quota of its own; null: no limit. */
  quotas: { storageBytes: number | null; runs: number | null };
  /** Base address of the collector that takes traces. */
  traces: string | null;
  version: string;
}

export const SOFTWARE_VERSION = '1.0.0';

/**
 * Reads and checks the environment. Empty variables count as not set. Makes DATA_DIR, and in it `secrets` when a
 * secret is not given; `secret` is kept there when there is none yet.
 */
export function loadConfig(
  environment: NodeJS.ProcessEnv = process.env,
  { secret }: { secret?: string | undefined } = {},
): Config {
  const settings = readSettings(environment);
  makeDataDirectory(settings.DATA_DIR);
  const embedded = settings.DATABASE_URL === undefined;
  const support =
    settings.SUPPORT_URL ?? (settings.SUPPORT_EMAIL === undefined ? null : `mailto:${settings.SUPPORT_EMAIL}`);
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir: settings.DATA_DIR,
    publicUrl: settings.PUBLIC_URL ?? defaultPublicUrl(settings.HOST, settings.PORT),
    database: {
      url: settings.DATABASE_URL,
      pool: settings.DATABASE_POOL,
      waitSeconds: settings.DATABASE_WAIT_SECONDS,
    },
    secretKey: settings.SECRET_KEY ?? readOrCreateSecret(settings.DATA_DIR, 'secret-key', secret),
    storage: storageConfig(settings),
    mail: mailConfig(settings),
    registration: settings.REGISTRATION ?? (embedded ? 'open' : 'approval'),
    support,
    billing: billingConfig(settings, support),
    signIn: signInConfig(settings),
    demo: settings.DEMO ?? embedded,
    rateLimit: settings.RATE_LIMIT,
    trustProxy: settings.TRUST_PROXY ?? false,
    outgoingNetworks: settings.OUTGOING_NETWORKS,
    log: {
      level: settings.LOG_LEVEL,
      format: settings.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    },
    worker: { concurrency: settings.WORKER_CONCURRENCY, memoryMb: settings.WORKER_MEMORY_MB },
    compute: {
      threads: settings.COMPUTE_THREADS,
      memoryMb: settings.COMPUTE_MEMORY_MB,
      chunkGflop: settings.CHUNK_GFLOP,
      tileMarkers: settings.TILE_MARKERS,
      ...(settings.COMPUTE === 'slurm' ? { slurm: { options: settings.SLURM_OPTIONS ?? [] } } : {}),
    },
    limits: {
      uploadBytes: settings.MAX_UPLOAD_BYTES,
      inflatedBytes: settings.MAX_INFLATED_BYTES,
      reservedDiskBytes: settings.RESERVED_DISK_BYTES,
    },
    quotas: {
      storageBytes: settings.ORGANIZATION_STORAGE_BYTES ?? null,
      runs: settings.ORGANIZATION_RUNS ?? null,
    },
    traces: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    version: SOFTWARE_VERSION,
  };
}

/** The address a browser on this machine uses when PUBLIC_URL is not set. */
export function defaultPublicUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const reasons: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(SETTINGS)) {
    const result = schema.safeParse(environment[name]?.trim() || undefined);
    if (result.success) values[name] = result.data;
    else reasons.push(`${name} ${result.error.issues.map((issue) => issue.message).join('; ')}`);
  }
  const need = (name: keyof Settings, because: string) => {
    if (values[name] === undefined && (environment[name]?.trim() ?? '') === '')
      reasons.push(`${name} is needed with ${because}`);
  };
  if (values['STORAGE'] === 's3') {
    need('S3_BUCKET', 'STORAGE=s3');
    need('S3_ACCESS_KEY_ID', 'STORAGE=s3');
    need('S3_SECRET_ACCESS_KEY', 'STORAGE=s3');
  }
  if (values['MAIL'] === 'smtp') need('SMTP_URL', 'MAIL=smtp');
  if (values['MAIL'] === 'outbox' && values['OUTBOX_KEY'] === undefined && isReachable(values))
    need('OUTBOX_KEY', 'MAIL=outbox where other machines reach the server: everybody with it can sign in as anyone');
  if (values['OIDC_ISSUER'] !== undefined) {
    need('OIDC_CLIENT_ID', 'OIDC_ISSUER');
    need('OIDC_CLIENT_SECRET', 'OIDC_ISSUER');
  }
  if (values['EMAIL_LINKS'] === false) {
    need('OIDC_ISSUER', 'EMAIL_LINKS=off');
    if (values['AUTH_PROVIDER'] === 'firebase') reasons.push('EMAIL_LINKS cannot be off with AUTH_PROVIDER=firebase');
  }
  if (values['AUTH_PROVIDER'] === 'firebase') {
    need('FIREBASE_PROJECT_ID', 'AUTH_PROVIDER=firebase');
    need('FIREBASE_API_KEY', 'AUTH_PROVIDER=firebase');
  }
  if (values['BILLING'] === 'stripe') {
    need('STRIPE_SECRET_KEY', 'BILLING=stripe');
    need('STRIPE_PUBLISHABLE_KEY', 'BILLING=stripe');
    need('STRIPE_WEBHOOK_SECRET', 'BILLING=stripe');
  }
  if (reasons.length > 0) throw new ConfigError(reasons);
  return values as Settings;
}

/** Whether other machines may reach the server, by what it listens on or what it is called. */
function isReachable({ HOST, PUBLIC_URL }: Record<string, unknown>): boolean {
  const hosts = [String(HOST), ...(PUBLIC_URL === undefined ? [] : [new URL(String(PUBLIC_URL)).hostname])];
  return hosts.some((host) => host !== '::1' && !isLoopback(host));
}

function storageConfig(settings: Settings): StorageConfig {
  if (settings.STORAGE === 'local') return { kind: 'local' };
  return {
    kind: 's3',
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    bucket: settings.S3_BUCKET ?? '',
    accessKeyId: settings.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? '',
    forcePathStyle: settings.S3_FORCE_PATH_STYLE,
  };
}

function mailConfig(settings: Settings): MailConfig {
  return settings.MAIL === 'smtp'
    ? { kind: 'smtp', url: settings.SMTP_URL ?? '', from: settings.MAIL_FROM }
    : {
        kind: 'outbox',
        from: settings.MAIL_FROM,
        key: settings.OUTBOX_KEY ?? readOrCreateSecret(settings.DATA_DIR, 'outbox-key'),
      };
}

/** As many seats as a subscription has at least, so that an installation without Stripe asks for none. */
const FREE_SEATS = { offline: 10, stripe: 1 };

function signInConfig(settings: Settings): SignInConfig {
  const { OIDC_ISSUER: issuer, FIREBASE_PROJECT_ID: projectId = '' } = settings;
  return {
    emailLinks: settings.EMAIL_LINKS,
    oidc:
      issuer === undefined
        ? null
        : {
            issuer,
            clientId: settings.OIDC_CLIENT_ID ?? '',
            clientSecret: settings.OIDC_CLIENT_SECRET ?? '',
            name: settings.OIDC_NAME ?? new URL(issuer).host,
          },
    firebase:
      settings.AUTH_PROVIDER === 'builtin'
        ? null
        : {
            projectId,
            apiKey: settings.FIREBASE_API_KEY ?? '',
            authDomain: settings.FIREBASE_AUTH_DOMAIN ?? `${projectId}.firebaseapp.com`,
            emulatorHost: settings.FIREBASE_AUTH_EMULATOR_HOST,
          },
  };
}

function billingConfig(settings: Settings, support: string | null): BillingConfig {
  const common = {
    freeSeats: settings.FREE_SEATS ?? FREE_SEATS[settings.BILLING],
    contact: settings.BILLING_CONTACT ?? support,
  };
  if (settings.BILLING === 'offline') return { kind: 'offline', prices: settings.BILLING_PRICES, ...common };
  return {
    kind: 'stripe',
    secretKey: settings.STRIPE_SECRET_KEY ?? '',
    publishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? '',
    webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? '',
    apiUrl: settings.STRIPE_API_URL,
    product: settings.STRIPE_PRODUCT,
    ...common,
  };
}

/** The part of the environment that compute children inherit: search paths, no secrets. */
export function computeChildEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const inherited = [
    'PATH',
    'HOME',
    'LANG',
    'TMPDIR',
    'LD_LIBRARY_PATH',
    'JAVA_HOME',
    'HETEROSIS_BLAS',
    'OPENBLAS_CORETYPE',
    // Each child would otherwise compile the same TypeScript again, which takes 0.4 s of CPU time.
    'NODE_COMPILE_CACHE',
  ];
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
