import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ENTRY = join(import.meta.dirname, 'all-in-one.ts');

let home: string;
const running: ChildProcess[] = [];
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'heterosis-start-'));
  chmodSync(home, 0o755);
});
afterAll(async () => {
  for (const child of running.filter(({ exitCode }) => exitCode === null)) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(home, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  output: () => string;
}

function launch(environment: Record<string, string>): Started {
  const child = spawn(process.execPath, [ENTRY], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(home, 'var'),
      PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return { child, output: () => output };
}

async function addressOf({ child, output }: Started): Promise<string> {
  for (;;) {
    const address = /ready: (http:\S+)/.exec(output())?.[1];
    if (address !== undefined) return address;
    if (child.exitCode !== null) throw new Error(`it ended: ${output()}`);
    await sleep(20);
  }
}

async function stop({ child }: Started): Promise<number | null> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function statusOf(address: string): Promise<number> {
  return fetch(`${address}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );
}

test('one command brings up everything in an empty directory, says where it is and where mails appear, and leaves nothing running', async () => {
  const first = launch({});
  const address = await addressOf(first);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await statusOf(address)).toBe(200);
  expect((await fetch(`${address}/api/openapi.json`)).status).toBe(200);
  await expect.poll(first.output).toContain('/dev/outbox');

  expect(await stop(first)).toBe(0);
  expect(existsSync(join(home, 'var', 'postgres', 'postmaster.pid'))).toBe(false);

  const second = launch({});
  expect(await statusOf(await addressOf(second))).toBe(200);
  expect(await stop(second)).toBe(0);
});

test('a PostgreSQL that is killed under the running server comes back by itself', async () => {
  const started = launch({});
  const address = await addressOf(started);
  const pid = Number(readFileSync(join(home, 'var', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => statusOf(address), { timeout: 40_000, interval: 100 }).toBe(503);
  await expect.poll(() => statusOf(address), { timeout: 40_000, interval: 200 }).toBe(200);
  expect(await stop(started)).toBe(0);
});

test('a wrong setting stops the start with its name and reason and without a stack', async () => {
  const started = launch({ PORT: 'eighty' });
  if (started.child.exitCode === null) await once(started.child, 'exit');
  expect(started.child.exitCode).toBe(1);
  await expect.poll(started.output).toContain('PORT must be a whole number');
  expect(started.output()).not.toContain('at ');
});
