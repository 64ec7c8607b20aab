import { randomUUID } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_KINDS, type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import { exampleRun, type RunInputs } from '@heterosis/test-support/run-examples';
import { expect, type Page } from '@playwright/test';
import { admin, baseUrl, keepSession, query, type Tokens } from './journeys.ts';

/** What the maize panel says, for runs that the demo does not have. */
const MAIZE: Omit<RunInputs, `${string}_id`> = {
  trait: 'EarHT',
  lines: ['MO17', 'CML103', 'B73'],
  targets: [
    { marker: 'PZA01271.1', allele: 'G' },
    { marker: 'PZA00100.9', allele: 'T' },
  ],
};

/** Who owns the demo. */
export const DEMO = 'demo@heterosis.example';

/** The demo, which the product creates in an empty database. */
export interface Demo {
  project: string;
  organization: string;
  genotype: string;
  phenotype: string;
  /** One of each kind, which has ended; the programme is started in the field. */
  runs: Record<RunKind, string>;
  /** Begun from the series of trials by the first journey that opens the demo. */
  decision: string;
  /** A field trial with its map and values. */
  trial: string;
  germplasm: string;
  /** Secret of a share link to the GWAS. */
  shared: string;
}

const PATIENCE = { timeout: 180_000 };
const TOKEN_MS = 4 * 60_000;
let demo: Promise<Demo> | undefined;

/** For the owner of the demo, good for five minutes: a process of its own makes it, and all that run journeys ask. */
async function tokenOfDemo(): Promise<string> {
  const kept = join(process.env.HETEROSIS_DATA_DIR ?? '', 'token-of-demo');
  const madeAt = await stat(kept).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (Date.now() - madeAt < TOKEN_MS) return await readFile(kept, 'utf8');
  const token = (await admin('custom-token', DEMO)).trim();
  // In one step, so that nobody reads a part of it.
  await writeFile(`${kept}-${process.pid}`, token);
  await rename(`${kept}-${process.pid}`, kept);
  return token;
}

/** Signs in as the owner of the demo and waits until all of it is there. */
export async function openDemo(page: Page): Promise<Demo> {
  // The demo is created after the server has started. Its owner is known once and for all, and links are few.
  const created = async () =>
    (await page.request.post(`${baseUrl()}/api/auth/link`, { data: { email: DEMO } })).status();
  if (demo === undefined) await expect.poll(created, PATIENCE).toBe(200);
  const answer = await page.request.post(`${baseUrl()}/api/auth/token`, {
    data: { grant_type: 'custom_token', token: await tokenOfDemo() },
  });
  const tokens = (await answer.json()) as Tokens;
  const { access_token } = tokens;
  await keepSession(page, tokens);
  demo ??= whatItHas(page, access_token);
  return await demo;
}

/** What the demo has, once it is complete, and a run of each kind that it does not have. */
async function whatItHas(page: Page, accessToken: string): Promise<Demo> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const list = async (path: string) => {
    const answer = await page.request.get(`${baseUrl()}/api${path}`, { headers });
    return ((await answer.json()) as { data: { id: string; name?: string; file_type?: string; status: unknown }[] })
      .data;
  };
  const complete = () => query(`select 1 from audit_events where action = 'demo.created'`, []);
  await expect.poll(complete, PATIENCE).toBe(1);
  const panel = (await list('/projects')).find(({ name }) => name === 'Maize diversity panel');
  const project = `/projects/${panel?.id}`;
  const first = async (kind: string) => (await list(`${project}/${kind}`))[0]?.id ?? '';
  const files = await list(`${project}/files`);
  const fileOf = (type: string) => files.find(({ file_type }) => file_type === type)?.id ?? '';
  const phenotype = files.find(({ name }) => name === 'phenotypes.csv')?.id ?? '';
  const post = async (path: string, data: object) =>
    await page.request.post(`${baseUrl()}/api${project}/${path}`, { headers, data });
  const inputs: RunInputs = {
    ...MAIZE,
    ...{ genotype_id: fileOf('GENOTYPE'), phenotype_id: phenotype, plots_id: phenotype },
    ...{ crossing_table_id: fileOf('CROSSING_TABLE'), pedigree_id: fileOf('PEDIGREE'), model_id: '' },
  };
  const runs = {} as Record<RunKind, string>;
  for (const kind of runKinds) {
    const { path, noun } = RUN_KINDS[kind];
    const state = async () => JSON.stringify((await list(`${project}/${path}`))[0]?.status ?? '');
    if ((await state()) === '""') await post(path, exampleRun(path, `A ${noun}`, { ...inputs, model_id: runs.model }));
    await expect.poll(state, PATIENCE).toMatch(/^("(SUCCESS|EVALUATED)"|\{("[^"]+":"(SUCCESS|EVALUATED)",?)+\})$/);
    runs[kind] = await first(path);
  }
  // Refused where another journey has started it.
  await post(`programmes/${runs.programme}/plan`, { starts_on: '2027-03-01' });
  if ((await first('decisions')) === '')
    await post('decisions', {
      name: 'Hybrids for next year',
      source: { kind: 'trial_analysis', id: runs.trial_analysis },
    });
  const link = await post('share_links', { entity_kind: 'gwas', entity_id: runs.gwas });
  return {
    project,
    organization: `/organizations/${(await list('/organizations'))[0]?.id}`,
    genotype: fileOf('GENOTYPE'),
    phenotype,
    runs,
    trial: await first('trials'),
    decision: await first('decisions'),
    germplasm: await first('germplasms'),
    shared: new URL(((await link.json()) as { url: string }).url).hash.slice(1),
  };
}

/** Roles in the organization and the project of the demo. */
export interface DemoPlace {
  organization?: string;
  project?: string;
}

/** Gives somebody roles in the demo. */
export async function joinDemo(demo: Demo, email: string, place: DemoPlace): Promise<void> {
  for (const kind of ['organization', 'project'] as const) {
    const role = place[kind];
    if (role === undefined) continue;
    await query(
      `insert into ${kind}_members (id, ${kind}_id, user_id, role) select $1, $2, id, $3 from users where email = $4`,
      [randomUUID(), demo[kind].split('/').at(-1) ?? '', role, email],
    );
  }
}
