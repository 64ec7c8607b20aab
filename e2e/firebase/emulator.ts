import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Fetched by npx when the command is run; 600 packages that no other test needs. */
const PROGRAM = 'firebase-tools@15.34.2';
const START_SECONDS = 300;
/** A project whose name begins with `demo-` exists nowhere; the emulator asks nobody about it. */
export const PROJECT = 'demo-heterosis';

export interface AuthEmulator {
  host: string;
  /** The link of the last mail to an address. */
  mailedLink: (email: string) => Promise<string>;
  /** Id of the account with an address. */
  accountOf: (email: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts the official emulator of Firebase Authentication. */
export async function startAuthEmulator(): Promise<AuthEmulator> {
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-firebase-'));
  const [auth, hub, logging] = await Promise.all([freePort(), freePort(), freePort()]);
  const at = (port: number) => ({ host: '127.0.0.1', port });
  const emulators = { auth: at(auth), hub: at(hub), logging: at(logging), ui: { enabled: false } };
  await writeFile(join(folder, 'firebase.json'), JSON.stringify({ emulators }));
  const program = spawn('npx', ['--yes', PROGRAM, 'emulators:start', '--only', 'auth', '--project', PROJECT], {
    cwd: folder,
    // The emulator needs nothing that its packages compile when they are installed.
    env: { ...process.env, CI: '1', npm_config_ignore_scripts: 'true' },
    stdio: ['ignore', 'inherit', 'inherit'],
    // npx starts a shell, which starts the program: they end together.
    detached: true,
  });
  const host = `127.0.0.1:${auth}`;
  const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
  const read = async (url: string, init: RequestInit = {}) =>
    (await fetch(`http://${host}${url}`, { ...init, headers })).json();
  const stop = async () => {
    if (program.pid !== undefined && program.exitCode === null) {
      process.kill(-program.pid, 'SIGTERM');
      await once(program, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(async () => (await fetch(`http://${host}/`)).ok, program);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    host,
    mailedLink: async (email) => {
      const { oobCodes } = (await read(`/emulator/v1/projects/${PROJECT}/oobCodes`)) as {
        oobCodes: { email: string; oobLink: string }[];
      };
      const link = oobCodes.findLast((one) => one.email === email)?.oobLink;
      if (link === undefined) throw new Error(`No mail to ${email}`);
      return link;
    },
    accountOf: async (email) => {
      const query = { method: 'POST', body: '{}' };
      const { userInfo } = (await read(
        `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:query`,
        query,
      )) as { userInfo: { email?: string; localId: string }[] };
      const account = userInfo.find((one) => one.email === email);
      if (account === undefined) throw new Error(`No account of ${email}`);
      return account.localId;
    },
    stop,
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a port was asked for');
  return address.port;
}

async function untilReady(isReady: () => Promise<boolean>, program: { exitCode: number | null }): Promise<void> {
  const end = Date.now() + START_SECONDS * 1000;
  while (Date.now() < end) {
    if (program.exitCode !== null) throw new Error(`The emulator ended with exit code ${program.exitCode}`);
    if (await isReady().catch(() => false)) return;
    await sleep(500);
  }
  throw new Error(`The emulator did not start within ${START_SECONDS} s`);
}
