import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startOidcProvider } from '@heterosis/test-support/oidc-provider';
import { requireShortTurns } from '@heterosis/test-support/short-turns';

const root = join(import.meta.dirname, '../..');
const START_SECONDS = 120;

/** Opens the outbox of every product that journeys start. */
export const OUTBOX_KEY = 'opens-the-outbox-of-journeys-'.repeat(2);

/** Who signs in at the OpenID Connect provider as `institute`. */
export const INSTITUTE_PERSON = {
  email: 'ines@institute.example',
  email_verified: true,
  name: 'Ines Tute',
};

/** Starts the product, and a provider to sign in with, for all journeys; stops both after the last one. */
export default async function startProduct(): Promise<() => Promise<void>> {
  const provider = await startOidcProvider();
  provider.accounts.set('institute', INSTITUTE_PERSON);
  const { url, dataDir, stop } = await launchProduct({
    DEMO: 'on',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Institute',
    // Journeys sign in as people from many addresses.
    TRUST_PROXY: '127.0.0.1',
    // Receivers of webhooks run beside the journeys.
    OUTGOING_NETWORKS: '127.0.0.1/32',
  });
  provider.allowRedirect(`${url}/api/auth/oidc/callback`);
  process.env.HETEROSIS_URL = url;
  process.env.HETEROSIS_DATA_DIR = dataDir;
  return async () => {
    await stop().finally(() => provider.close());
  };
}

interface LaunchedProduct {
  url: string;
  dataDir: string;
  /** Stops it and starts it again at the same address, on the same data. */
  restart: () => Promise<void>;
  /** Stops it and deletes its data. Throws when a request has kept all others waiting. */
  stop: () => Promise<void>;
}

/** Starts the product as `npm start` does, on an empty data directory and a free port. */
export async function launchProduct(settings: Record<string, string>): Promise<LaunchedProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heterosis-e2e-'));
  // PostgreSQL does not run as root; its user must be able to enter the directory.
  await chmod(dataDir, 0o755);
  let server = startServer({ ...settings, DATA_DIR: dataDir, PORT: '0' });
  const url = await addressOf(server);
  const end = async () => {
    const ended = once(server, 'exit');
    const metrics = await fetch(`${url}/metrics`)
      .then((answer) => answer.text())
      .finally(() => server.kill('SIGTERM'));
    await ended;
    requireShortTurns(metrics);
  };
  return {
    url,
    dataDir,
    restart: async () => {
      await end();
      server = startServer({ ...settings, DATA_DIR: dataDir, PORT: new URL(url).port });
      await addressOf(server);
    },
    stop: () => end().finally(() => rm(dataDir, { recursive: true, force: true })),
  };
}

const startServer = (settings: Record<string, string>) =>
  spawn(process.execPath, ['apps/server/src/entrypoints/all-in-one.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      LOG_LEVEL: 'warn',
      OUTBOX_KEY,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** The address that a server prints once it answers. */
async function addressOf(server: ReturnType<typeof startServer>): Promise<string> {
  const lines = createInterface({ input: server.stdout });
  return await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The product did not start within ${START_SECONDS} s`)),
      START_SECONDS * 1000,
    );
    lines.on('line', (line) => {
      const address = /https?:\/\/\S+/.exec(line)?.[0];
      if (!address) return;
      clearTimeout(timer);
      resolve(address.replace(/\/$/, ''));
    });
    server.once('exit', (code) => reject(new Error(`The product ended with exit code ${code} while starting`)));
  });
}
