import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunPath, runPaths } from '@heterosis/contracts/work/run-kinds';
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

const LINES = 30;
const MARKERS = 60;

/** Inbred lines on two chromosomes, and a trait that some of their markers shift. */
const allele = (line: number, marker: number): number =>
  (line * 7 + marker * (line % 5) + (marker >> 2)) % 3 === 0 ? 1 : 0;
export const VCF: string = [
  '##fileformat=VCFv4.2',
  `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${Array.from({ length: LINES }, (_, line) => `L${line}`).join('\t')}`,
  ...Array.from({ length: MARKERS }, (_, marker) =>
    [
      1 + Math.floor((2 * marker) / MARKERS),
      1000 * (marker + 1),
      `m${marker}`,
      'A\tC\t.\t.\t.\tGT',
      ...Array.from({ length: LINES }, (_, line) => (allele(line, marker) === 1 ? '1/1' : '0/0')),
    ].join('\t'),
  ),
  '',
].join('\n');
export const PHENOTYPE: string = `line,Yield\n${Array.from({ length: LINES }, (_, line) => `L${line},${50 + 3 * allele(line, 5) - 2 * allele(line, 40) + ((line * 13) % 7) / 7}`).join('\n')}\n`;
/** Two fields of four rows and six columns, two replicates of twelve lines each. */
export const PLOTS: string = [
  'environment,replicate,row,column,line,Yield',
  ...['North', 'South'].flatMap((place, at) =>
    Array.from({ length: 24 }, (_, plot) => {
      const line = (plot * (at === 0 ? 5 : 7) + Math.floor(plot / 12)) % 12;
      const value = 40 + 10 * at + ((line * 5) % 12) + ((plot * 37 + at * 11) % 17) / 8;
      return [place, plot < 12 ? 1 : 2, Math.floor(plot / 6) + 1, (plot % 6) + 1, `L${line}`, value].join(',');
    }),
  ),
  '',
].join('\n');
export const CROSSES: string = 'female,male\nL1,L2\nL3,L4\n';
export const PEDIGREE: string = `name,female,male\n${Array.from({ length: LINES - 2 }, (_, line) => `L${line + 2},L${line},L${line + 1}`).join('\n')}\n`;

/** What every run is made from: equal runs must give equal bytes. */
export interface Inputs {
  genotype_id: string;
  phenotype_id: string;
  plots_id: string;
  crossing_table_id: string;
  pedigree_id: string;
  model_id: string;
}

/** Uploads the files of all runs and trains the model of predictions and crossing simulations. */
export async function prepareInputs(client: Client, ledger: Ledger, project: string): Promise<Inputs> {
  const address = `/projects/${project}`;
  const put = async (name: string, fileType: string, text: string): Promise<string> => {
    const id = await upload(client, ledger, project, { name, fileType, text });
    if (id === undefined) throw new Error(`${name} could not be uploaded`);
    return id;
  };
  const files = {
    genotype_id: await put('g.vcf', 'GENOTYPE', VCF),
    phenotype_id: await put('p.csv', 'PHENOTYPE', PHENOTYPE),
    plots_id: await put('plots.csv', 'PHENOTYPE', PLOTS),
    crossing_table_id: await put('c.csv', 'CROSSING_TABLE', CROSSES),
    pedigree_id: await put('pedigree.csv', 'PEDIGREE', PEDIGREE),
  };
  for (const id of Object.values(files))
    await until(`file ${id}`, async () =>
      String((await client.call('GET', `${address}/files/${id}`)).body.status).startsWith('READY'),
    );
  const model = await client.call('POST', `${address}/models`, bodyOf('models', 'First', { ...files, model_id: '' }));
  if (model.status !== 201) throw new Error(`the first model could not be made: ${JSON.stringify(model.body)}`);
  const model_id = String(model.body.id);
  await until('the first model', async () => {
    const { body } = await client.call('GET', `${address}/models/${model_id}`);
    return body.status?.Yield === 'EVALUATED';
  });
  return { ...files, model_id };
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

/** Two cycles of a few crosses. */
const PROGRAMME = {
  architecture: [{ trait: 'Yield', qtl: 10, variance: 1 }],
  schemes: [
    {
      ...{ name: 'Crosses', cycles: 2, error: { environment: 1, plot: 1 }, start: [] },
      cycle: [
        { do: 'cross', from: 'founders', plan: 'random', crosses: 10, into: 'F1', years: 1 },
        { do: 'measure', stage: 'candidates', population: 'F1' },
      ],
    },
  ],
};

/** One target that a line has. */
/** Of these lines only L0 has C at m0, only L1 at m4. */
const STACK = {
  ...{ donors: ['L0', 'L1'], recurrent: 'L2', replicates: 20 },
  targets: ['m0', 'm4'].map((marker) => ({ marker, allele: 'C' })),
};

/** The request for a run. */
export function bodyOf(path: RunPath, name: string, inputs: Inputs): object {
  const { genotype_id, phenotype_id, plots_id, crossing_table_id, pedigree_id, model_id } = inputs;
  const traits = ['Yield'];
  const bodies: Record<RunPath, object> = {
    models: { name, traits, genotype_id, phenotype_id, n_fold: 3, n_repetition: 1 },
    predictions: { name, model_id, genotype_id },
    gwas: { name, traits, genotype_id, phenotype_id },
    trial_analyses: { name, traits, phenotype_ids: [plots_id] },
    parentage_checks: { name, genotype_id, pedigree: 'file', pedigree_id },
    crossing_plans: { name, model_id, genotype_id, crosses: 4, max_uses: 2 },
    crossing_simulations: { name, model_id, crossing_table_id, progeny: 20, seed: 1 },
    stacking_plans: { name, genotype_id, ...STACK },
    programmes: { name, genotype_id, replicates: 20, ...PROGRAMME },
  };
  return bodies[path];
}

export interface Habits {
  project: string;
  person: number;
  inputs: Inputs;
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
        text,
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
      const made = await client.call('POST', `${address}/${path}`, bodyOf(path, `${path} ${person}-${step}`, inputs));
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
const pagesOf = (address: string, { genotype_id, phenotype_id, model_id }: Inputs): string[] => [
  address,
  `${address}/files`,
  `${address}/files/${genotype_id}`,
  `${address}/files/${genotype_id}/qc`,
  `${address}/files/${phenotype_id}/rows`,
  ...runPaths.map((path) => `${address}/${path}`),
  `${address}/models/${model_id}`,
  '/organizations',
];
