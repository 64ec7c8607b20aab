import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const START_SECONDS = 120;

/** Starts the product for all journeys and stops it after the last one. */
export default async function startProduct(): Promise<() => Promise<void>> {
  const { url, dataDir, stop } = await launchProduct({ DEMO: 'on' });
  process.env.HETEROSIS_URL = url;
  process.env.HETEROSIS_DATA_DIR = dataDir;
  return stop;
}

interface LaunchedProduct {
  url: string;
  dataDir: string;
  stop: () => Promise<void>;
}

/** Starts the product as `npm start` does, on an empty data directory and a free port. */
export async function launchProduct(settings: Record<string, string>): Promise<LaunchedProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heterosis-e2e-'));
  // PostgreSQL does not run as root; its user must be able to enter the directory.
  await chmod(dataDir, 0o755);
  const server = spawn(process.execPath, ['apps/server/src/entrypoints/all-in-one.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: server.stdout });
  const url = await new Promise<string>((resolve, reject) => {
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
  const stop = async () => {
    server.kill('SIGTERM');
    await once(server, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url, dataDir, stop };
}
