import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UPLOAD_PART_BYTES } from '@heterosis/contracts/data/file-uploads';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, type Product, type Project, startProduct } from '../src/testing/product.ts';

const PROGRAM = resolve(import.meta.dirname, '../../cli/bin/heterosis.mjs');
const PARTS = 3;
const NAME = 'trials.csv';

let product: Product;
let ann: Person;
let project: Project;
let token: string;
/** Stands before the server, counts the parts and can hold one back. */
let front: Server;
let address: string;
let directory: string;
let path: string;

/** Numbers of the parts that were sent, in turn. */
let sent: number[];
/** The part that does not get through. */
let held: number | null;
let reachedHeld: () => void;

beforeAll(async () => {
  product = await startProduct({ changes: { host: '127.0.0.1' } });
  ann = await product.person('ann');
  const server = await product.app.listen({ port: 0, host: '127.0.0.1' });
  front = createServer((asked, answer) => pass(server, asked, answer));
  await once(front.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  // Signed addresses lead through the front.
  Object.assign(product.services.config, { publicUrl: address });
  const made = await ann.call('POST', '/access_tokens', { name: 'Script', scopes: ['write'], expires_in_days: 1 });
  token = made.body.token;
  directory = await mkdtemp(join(tmpdir(), 'heterosis-upload-'));
  path = join(directory, NAME);
});
afterAll(async () => {
  front?.closeAllConnections();
  front?.close();
  await product?.close();
  await rm(directory, { recursive: true, force: true });
});

type Command = ChildProcessByStdio<null, Readable, Readable>;

let running: Command | undefined;
beforeEach(async () => {
  project = await product.project(ann);
  [sent, held] = [[], null];
  await writeFile(path, table(1));
});
afterEach(() => {
  running?.kill('SIGKILL');
});

function pass(server: string, asked: IncomingMessage, answer: ServerResponse): void {
  const url = asked.url ?? '';
  const part = asked.method === 'PUT' ? Number(/\/0*(\d{1,6})\?/.exec(url)?.[1]) : Number.NaN;
  if (!Number.isNaN(part)) sent.push(part);
  if (part === held) {
    asked.resume();
    return reachedHeld();
  }
  const onward = request(`${server}${url}`, { method: asked.method, headers: asked.headers }, (given) => {
    answer.writeHead(given.statusCode ?? 500, given.headers);
    given.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  asked.pipe(onward);
}

/** A phenotype file of three parts, of the same length for every value of one digit. */
function table(value: number): string {
  const rows: string[] = ['line,Yield\n'];
  const row = `${'x'.repeat(100)},${value}\n`;
  for (let k = 0; rows.length * row.length < (PARTS - 0.5) * UPLOAD_PART_BYTES; k++)
    rows.push(`${String(k).padStart(100, 'L')},${value}\n`);
  return rows.join('');
}

function upload(): Command {
  const command = spawn(
    process.execPath,
    [PROGRAM, 'remote', 'upload', '--project', project.projectId, '--file', path, '--type', 'PHENOTYPE'],
    {
      cwd: directory,
      env: { PATH: process.env['PATH'], HOME: directory, HETEROSIS_SERVER: address, HETEROSIS_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  running = command;
  return command;
}

/** Kills the command while it sends the second part. */
async function breakOff(): Promise<void> {
  held = 2;
  const reached = new Promise<void>((done) => {
    reachedHeld = done;
  });
  const command = upload();
  await reached;
  command.kill('SIGKILL');
  await once(command, 'exit');
  held = null;
}

async function whole(): Promise<{ code: number; out: string; error: string }> {
  const command = upload();
  const [out, error, [code]] = await Promise.all([text(command.stdout), text(command.stderr), once(command, 'exit')]);
  return { code: Number(code), out: out.trim(), error };
}

const sha256 = async (): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

test('an upload that was killed sends only what is missing', { tags: 'whole' }, async () => {
  await breakOff();
  expect(sent).toEqual([1, 2]);
  const { code, out, error } = await whole();
  expect([code, error]).toEqual([0, expect.not.stringContaining('E-')]);
  expect(sent).toEqual([1, 2, 2, 3]);
  const stored = await ann.call('GET', `${project.address}/files/${out}`);
  expect(stored.body).toMatchObject({ name: NAME, sha256: await sha256() });
  expect((await ann.call('GET', `${project.address}/uploads`)).body.data).toEqual([]);
});

test('another file of the same name begins anew', { tags: 'whole' }, async () => {
  await breakOff();
  await writeFile(path, table(2));
  const { code, out, error } = await whole();
  expect(code, error).toBe(0);
  expect(sent).toEqual([1, 2, 1, 2, 3]);
  const stored = await ann.call('GET', `${project.address}/files/${out}`);
  expect(stored.body).toMatchObject({ name: NAME, sha256: await sha256() });
});

test('a file that was changed behind its time stamp is refused, and not stored as a mixture', {
  tags: 'whole',
}, async () => {
  const lastYear = new Date('2025-06-01T00:00:00Z');
  await utimes(path, lastYear, lastYear);
  await breakOff();
  await writeFile(path, table(3));
  await utimes(path, lastYear, lastYear);
  const { code, error } = await whole();
  expect(sent).toEqual([1, 2, 2, 3]);
  expect(code).toBe(2);
  expect(error).toContain('E-CLI-RUN');
  const [stored] = (await ann.call('GET', `${project.address}/files`)).body.data;
  expect(stored.status).toBe('INVALID');
});
