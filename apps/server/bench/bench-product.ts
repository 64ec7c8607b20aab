import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const OUTBOX_KEY = 'opens-the-outbox-of-benchmarks-'.repeat(2);

/** A server of its own with PostgreSQL and a worker, in a temporary folder. */
export interface BenchProduct {
  process: ChildProcess;
  /** Holds its data; the command line of its PostgreSQL names it. */
  directory: string;
  /** `http://host:port` */
  address: string;
  /** Signs in as a new person; the value of the Authorization header. */
  signIn(): Promise<string>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** @param settings what the benchmark needs otherwise than the others */
export async function startBenchProduct(settings: Record<string, string> = {}): Promise<BenchProduct> {
  const directory = mkdtempSync(join(tmpdir(), 'heterosis-bench-'));
  chmodSync(directory, 0o755);
  const server = spawn(process.execPath, [join(import.meta.dirname, '../src/entrypoints/all-in-one.ts')], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(directory, 'var'),
      PORT: '0',
      DEMO: 'off',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      OUTBOX_KEY,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const address = await addressOf(server);
    return { process: server, directory, address, signIn: () => signIn(address), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(server: ChildProcess): Promise<string> {
  let output = '';
  server.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for (;;) {
    const address = /ready: (http:\S+)/.exec(output)?.[1];
    if (address !== undefined) return address;
    if (server.exitCode !== null) throw new Error(`The server ended:\n${output}`);
    await sleep(50);
  }
}

/** A request; a form is sent as it is, another body as JSON. */
export async function call<Answer>(
  url: string,
  method: string,
  body?: object,
  authorization?: string,
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Registers an address, follows the mailed link and returns the Authorization header. */
async function signIn(address: string): Promise<string> {
  await call(`${address}/api/signup`, 'POST', { email: 'bench@example.org' });
  const { data } = await call<{ data: { link: string | null }[] }>(
    `${address}/api/dev/outbox?key=${OUTBOX_KEY}`,
    'GET',
  );
  const code = new URL(data[0]?.link ?? '').searchParams.get('code');
  const { access_token } = await call<{ access_token: string }>(`${address}/api/auth/token`, 'POST', {
    grant_type: 'email_link',
    code,
  });
  return `Bearer ${access_token}`;
}
