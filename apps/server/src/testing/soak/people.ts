import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMALL_PHENOTYPE, SMALL_VCF } from '../product.ts';
import { pick } from './fleet.ts';

/** What the servers have acknowledged, and what must therefore be true in the end. */
export interface Ledger {
  /** Files by id, with the SHA-256 of their bytes and whether they are in the bin. */
  files: Map<string, { sha256: string; isDeleted: boolean }>;
  models: Set<string>;
  writes: number;
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
const PATIENCE_MS = 300_000;

/**
 * Calls whichever api answers, and repeats what had no answer or met an outage. A repeated POST carries the same
 * Idempotency-Key, so it is done once.
 */
export function createClient(origins: readonly string[], signIn: () => Promise<string>, ledger: Ledger): Client {
  let token: string | undefined;
  const repeat = async (what: string, attempt: (origin: string) => Promise<Response>): Promise<Response> => {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const response = await attempt(pick(origins) ?? '').catch(() => undefined);
      if (response !== undefined && response.status === 401) token = undefined;
      else if (response !== undefined && response.status !== 503 && response.status !== 409) {
        if (response.status >= 500) ledger.wrong.push(`${what}: ${response.status} ${await response.clone().text()}`);
        return response;
      } else if (response?.status === 409) return response;
      if (Date.now() > deadline) throw new Error(`${what}: no answer for ${PATIENCE_MS / 1000} s`);
      await sleep(PAUSE_MS);
    }
  };
  return {
    async call(method, address, body) {
      const key = randomUUID();
      const response = await repeat(`${method} ${address}`, async (origin) => {
        token ??= await signIn();
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
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    async put(url, bytes) {
      const { pathname, search } = new URL(url);
      const response = await repeat('PUT', (origin) =>
        fetch(`${origin}${pathname}${search}`, {
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
  { name, fileType, text }: { name: string; fileType: string; text: string },
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

/** The files that every model is trained on: equal runs must give equal bytes. */
export async function uploadTraining(client: Client, ledger: Ledger, project: string) {
  const genotype = await upload(client, ledger, project, { name: 'g.vcf', fileType: 'GENOTYPE', text: SMALL_VCF });
  const phenotype = await upload(client, ledger, project, {
    name: 'p.csv',
    fileType: 'PHENOTYPE',
    text: SMALL_PHENOTYPE,
  });
  if (genotype === undefined || phenotype === undefined) throw new Error('the first uploads failed');
  const deadline = Date.now() + PATIENCE_MS;
  for (const id of [genotype, phenotype])
    while (!String((await client.call('GET', `/projects/${project}/files/${id}`)).body.status).startsWith('READY')) {
      if (Date.now() > deadline) throw new Error('the first files were not checked');
      await sleep(PAUSE_MS);
    }
  return { genotype_id: genotype, phenotype_id: phenotype };
}

/** One person at work: uploads, trains, deletes, restores, reads, until told to stop. */
export async function work(
  client: Client,
  ledger: Ledger,
  {
    project,
    person,
    training,
    isOver,
  }: {
    project: string;
    person: number;
    training: { genotype_id: string; phenotype_id: string };
    isOver: () => boolean;
  },
): Promise<void> {
  const own: string[] = [];
  const address = `/projects/${project}`;
  for (let step = 0; !isOver(); step++) {
    const chance = Math.random();
    const id = pick(own);
    const file = id === undefined ? undefined : ledger.files.get(id);
    if (chance < 0.35) {
      const text = `line,Yield\nL1,${step}.5\nL2,${person}\n`;
      const made = await upload(client, ledger, project, {
        name: `${person}-${step}.csv`,
        fileType: 'PHENOTYPE',
        text,
      });
      if (made !== undefined) own.push(made);
    } else if (chance < 0.55) {
      const made = await client.call('POST', `${address}/models`, {
        name: `Model ${person}-${step}`,
        traits: ['Yield'],
        n_fold: 2,
        n_repetition: 1,
        ...training,
      });
      if (made.status === 201) {
        ledger.writes++;
        ledger.models.add(made.body.id);
      }
    } else if (chance < 0.75 && id !== undefined && file !== undefined) {
      const { status } = file.isDeleted
        ? await client.call('POST', `${address}/bin/${id}/restore`)
        : await client.call('DELETE', `${address}/files/${id}`);
      // A repeated call finds its work done.
      if (status < 300 || status === 404) {
        ledger.writes++;
        file.isDeleted = !file.isDeleted;
      }
    } else {
      await client.call('GET', `${address}/files`);
      await client.call('GET', `${address}/models`);
    }
    await sleep(PAUSE_MS);
  }
}
