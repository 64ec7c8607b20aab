import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunPath, runPaths } from '@heterosis/contracts/work/run-kinds';
import {
  EXAMPLE_FILES,
  EXAMPLE_PANEL,
  type ExampleFile,
  exampleRun,
  type RunInputs,
} from '@heterosis/test-support/run-examples';
import { pick } from './fleet.ts';

/** What the servers have acknowledged, and what must therefore be true in the end. */
export interface Ledger {
  /** Files by id, with the SHA-256 of their bytes and whether they are in the bin. */
  files: Map<string, { sha256: string; isDeleted: boolean }>;
  /** Ids of the runs that were made, by the path of their kind. */
  runs: Map<RunPath, Set<string>>;
  /** Names of the organizations that were made, each once. */
  organizations: Set<string>;
  writes: number;
  /** Each answered read: what was asked for, and its milliseconds without attempts that met an outage. */
  reads: { page: string; ms: number }[];
  /** Answers that should not have come: anything but success, a conflict, or an outage. */
  wrong: string[];
}

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of every shape
  body: any;
}

export interface Client {
  call(method: string, address: string, body?: unknown): Promise<Answer>;
  put(url: string, bytes: Buffer): Promise<number>;
}

const PAUSE_MS = 200;
/** Where something is killed every few seconds, what takes as long may need many attempts. */
const PATIENCE_MS = 900_000;

/**
 * Calls whichever api answers, and repeats what had no answer or met an outage. A repeated POST carries the same
 * Idempotency-Key, so it is done once.
 */
export function createClient(origins: readonly string[], signIn: () => Promise<string>, ledger: Ledger): Client {
  let token: string | undefined;
  const repeat = async (what: string, attempt: (origin: string) => Promise<Response>): Promise<Response> => {
    const deadline = Date.now() + PATIENCE_MS;
    let last = '';
    for (;;) {
      const response = await attempt(pick(origins) ?? '').catch((error: unknown) => {
        last = String(error);
        return undefined;
      });
      if (response !== undefined) last = `${response.status} ${await response.clone().text().catch(String)}`;
      if (response?.status === 401) token = undefined;
      // 409 with Retry-After: the first attempt may still be under way.
      else if (response !== undefined && response.status !== 503 && !response.headers.has('retry-after')) {
        if (response.status >= 500) ledger.wrong.push(`${what}: ${response.status} ${await response.clone().text()}`);
        return response;
      }
      if (Date.now() > deadline)
        throw new Error(`${what}: no answer for ${PATIENCE_MS / 1000} s; the last was ${last}`);
      await sleep(PAUSE_MS);
    }
  };
  return {
    async call(method, address, body) {
      const key = randomUUID();
      let began = 0;
      const response = await repeat(`${method} ${address}`, async (origin) => {
        token ??= await signIn();
        began = performance.now();
        return await fetch(`${origin}/api${address}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(method === 'POST' ? { 'idempotency-key': key } : {}),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(30_000),
        });
      });
      const text = await response.text().catch(() => '');
      if (method === 'GET' && response.ok) ledger.reads.push({ page: pageOf(address), ms: performance.now() - began });
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    async put(url, bytes) {
      const { pathname, search } = new URL(url);
      const response = await repeat('PUT', (origin) =>
        // The address leads to any api, or to the bucket.
        fetch(pathname.startsWith('/api/') ? `${origin}${pathname}${search}` : url, {
          method: 'PUT',
          headers: { 'content-type': 'text/plain' },
          body: bytes,
          signal: AbortSignal.timeout(30_000),
        }),
      );
      return response.status;
    },
  };
}

/** Uploads bytes and returns the id of the file; undefined when the upload was lost before it became a file. */
export async function upload(
  client: Client,
  ledger: Ledger,
  project: string,
  { name, fileType, bytes: text }: ExampleFile,
): Promise<string | undefined> {
  const bytes = Buffer.from(text);
  const link = await client.call('POST', `/projects/${project}/files/upload_link`, {
    file_type: fileType,
    content_type: 'text/plain',
    size_bytes: bytes.length,
  });
  if (link.status !== 201 && link.status !== 200) return undefined;
  if ((await client.put(link.body.put_url, bytes)) >= 300) return undefined;
  const made = await client.call('POST', `/projects/${project}/files`, {
    name,
    file_id: link.body.file_id,
    file_type: fileType,
  });
  if (made.status !== 201) return undefined;
  ledger.writes++;
  ledger.files.set(made.body.id, { sha256: createHash('sha256').update(bytes).digest('hex'), isDeleted: false });
  return made.body.id;
}

/** Uploads the files of all runs and trains the model of predictions and crossing simulations. */
export async function prepareInputs(client: Client, ledger: Ledger, project: string): Promise<RunInputs> {
  const address = `/projects/${project}`;
  const files = {} as Record<keyof typeof EXAMPLE_FILES, string>;
  for (const [role, file] of Object.entries(EXAMPLE_FILES) as [keyof typeof EXAMPLE_FILES, ExampleFile][]) {
    const id = await upload(client, ledger, project, file);
    if (id === undefined) throw new Error(`${file.name} could not be uploaded`);
    files[role] = id;
  }
  for (const id of Object.values(files))
    await until(`file ${id}`, async () =>
      String((await client.call('GET', `${address}/files/${id}`)).body.status).startsWith('READY'),
    );
  const untrained = { ...files, ...EXAMPLE_PANEL, model_id: '' };
  const model = await client.call('POST', `${address}/models`, exampleRun('models', 'First', untrained));
  if (model.status !== 201) throw new Error(`the first model could not be made: ${JSON.stringify(model.body)}`);
  const model_id = String(model.body.id);
  await until('the first model', async () => {
    const { body } = await client.call('GET', `${address}/models/${model_id}`);
    return body.status?.Yield === 'EVALUATED';
  });
  return { ...untrained, model_id };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what} was not ready within ${PATIENCE_MS / 1000} s`);
    await sleep(PAUSE_MS);
  }
}

/** The names of all runs. */
export const RUN_NAME: RegExp = new RegExp(`\\b(First|(${runPaths.join('|')}) \\d+-\\d+)\\b`, 'g');

export interface Habits {
  project: string;
  person: number;
  inputs: RunInputs;
  /** Share of what they do that changes something; the rest are reads. */
  changes: number;
  /** Mean milliseconds between two things that they do. */
  pauseMs: number;
  isOver: () => boolean;
}

/** One person at work: uploads, asks for runs, deletes, restores, reads, until told to stop. */
export async function work(client: Client, ledger: Ledger, habits: Habits): Promise<void> {
  const { project, person, inputs, changes, pauseMs, isOver } = habits;
  const own: string[] = [];
  const address = `/projects/${project}`;
  for (let step = 0; !isOver(); step++) {
    const chance = Math.random() < changes ? 0.8 * Math.random() : 1;
    const id = pick(own);
    const file = id === undefined ? undefined : ledger.files.get(id);
    if (chance < 0.3) {
      const text = `line,Yield\nL1,${step}.5\nL2,${person}\n`;
      const made = await upload(client, ledger, project, {
        name: `${person}-${step}.csv`,
        fileType: 'PHENOTYPE',
        bytes: text,
      });
      if (made !== undefined) own.push(made);
    } else if (chance < 0.36) {
      // Their names need not differ, so that only the Idempotency-Key keeps a repeated call from making a second.
      const name = `Organization ${person}-${step}`;
      const { status, body } = await client.call('POST', '/organizations', { name });
      if (status === 201) {
        ledger.writes++;
        ledger.organizations.add(name);
      } else ledger.wrong.push(`POST organizations: ${status} ${JSON.stringify(body)}`);
    } else if (chance < 0.6) {
      const path = pick(runPaths) ?? 'models';
      const made = await client.call(
        'POST',
        `${address}/${path}`,
        exampleRun(path, `${path} ${person}-${step}`, inputs),
      );
      if (made.status === 201) {
        ledger.writes++;
        ledger.runs.get(path)?.add(made.body.id);
      } else if (made.status !== 409) ledger.wrong.push(`POST ${path}: ${made.status} ${JSON.stringify(made.body)}`);
    } else if (chance < 0.8 && id !== undefined && file !== undefined) {
      const { status } = file.isDeleted
        ? await client.call('POST', `${address}/bin/${id}/restore`)
        : await client.call('DELETE', `${address}/files/${id}`);
      // A repeated call finds its work done.
      if (status < 300 || status === 404) {
        ledger.writes++;
        file.isDeleted = !file.isDeleted;
      }
    } else {
      await client.call('GET', pick(pagesOf(address, inputs)) ?? address);
    }
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}

/** An address without its ids. */
const pageOf = (address: string): string => address.replaceAll(/\/[0-9a-f]{8}-[0-9a-f-]{27}/g, '/…');

/** What pages of a project ask for. */
const pagesOf = (address: string, { genotype_id, phenotype_id, model_id }: RunInputs): string[] => [
  address,
  `${address}/files`,
  `${address}/files/${genotype_id}`,
  `${address}/files/${genotype_id}/qc`,
  `${address}/files/${phenotype_id}/rows`,
  ...runPaths.map((path) => `${address}/${path}`),
  `${address}/models/${model_id}`,
  '/organizations',
];
