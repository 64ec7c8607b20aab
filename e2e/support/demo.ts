import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { admin, baseUrl, keepSession, query, type Tokens } from './journeys.ts';

/** Targets of three lines of the maize panel. */
const STACK = {
  ...{ donors: ['MO17', 'CML103', 'KI11'], recurrent: 'B73', replicates: 20, most_plants: 1000 },
  targets: [
    { marker: 'PZA01271.1', allele: 'G' },
    { marker: 'PZA00100.9', allele: 'T' },
    { marker: 'PZB00081.5', allele: 'T' },
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
  model: string;
  prediction: string;
  gwas: string;
  plan: string;
  crossing: string;
  check: string;
  trials: string;
  /** Begun from the series of trials by the first journey that opens the demo. */
  decision: string;
  /** A simulated programme, started in the field. */
  programme: string;
  /** A stacking plan. */
  stacking: string;
  /** A field trial with its map and values. */
  trial: string;
  germplasm: string;
  /** Secret of a share link to the GWAS. */
  shared: string;
}

const TOKEN_MS = 4 * 60_000;
/** Shown once, to who makes it. */
let shared: Promise<string> | undefined;
let token: { text: Promise<string>; madeAt: number } | undefined;

/** For the owner of the demo, good for five minutes: a process of its own makes it, and many journeys ask. */
async function tokenOfDemo(): Promise<string> {
  if (token === undefined || Date.now() - token.madeAt > TOKEN_MS)
    token = { text: admin('custom-token', DEMO), madeAt: Date.now() };
  return (await token.text).trim();
}

/** Signs in as the owner of the demo and waits until all of it is there. */
export async function openDemo(page: Page): Promise<Demo> {
  // The demo is created after the server has started. Its owner is known once and for all, and links are few.
  const patience = { timeout: 60_000 };
  const created = async () =>
    (await page.request.post(`${baseUrl()}/api/auth/link`, { data: { email: DEMO } })).status();
  if (token === undefined) await expect.poll(created, patience).toBe(200);
  const answer = await page.request.post(`${baseUrl()}/api/auth/token`, {
    data: { grant_type: 'custom_token', token: await tokenOfDemo() },
  });
  const tokens = (await answer.json()) as Tokens;
  const { access_token } = tokens;
  await keepSession(page, tokens);
  const list = async (path: string) => {
    const answer = await page.request.get(`${baseUrl()}/api${path}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    return ((await answer.json()) as { data: { id: string; name?: string; file_type?: string; status: unknown }[] })
      .data;
  };
  const panel = async () => (await list('/projects')).find(({ name }) => name === 'Maize diversity panel')?.id ?? '';
  await expect.poll(panel, patience).not.toBe('');
  const projectId = await panel();
  const project = `/projects/${projectId}`;
  const finished = async (kind: string, state: string) =>
    expect
      .poll(async () => JSON.stringify((await list(`${project}/${kind}`))[0]?.status ?? ''), patience)
      .toMatch(new RegExp(`^("${state}"|\\{("[^"]+":"${state}",?)+\\})$`));
  await finished('models', 'EVALUATED');
  await finished('predictions', 'SUCCESS');
  await finished('gwas', 'SUCCESS');
  await finished('parentage_checks', 'SUCCESS');
  await finished('crossing_plans', 'SUCCESS');
  await finished('crossing_simulations', 'SUCCESS');
  await finished('trial_analyses', 'SUCCESS');
  const first = async (kind: string) => (await list(`${project}/${kind}`))[0]?.id ?? '';
  const files = await list(`${project}/files`);
  const fileOf = (type: string) => files.find(({ file_type }) => file_type === type)?.id ?? '';
  const decision = async () => {
    if ((await first('decisions')) === '')
      await page.request.post(`${baseUrl()}/api${project}/decisions`, {
        headers: { authorization: `Bearer ${access_token}` },
        data: {
          name: 'Hybrids for next year',
          source: { kind: 'trial_analysis', id: await first('trial_analyses') },
        },
      });
    return await first('decisions');
  };
  const programme = async () => {
    if ((await first('programmes')) === '')
      await page.request.post(`${baseUrl()}/api${project}/programmes`, {
        headers: { authorization: `Bearer ${access_token}` },
        data: {
          ...{ name: 'Ten years', genotype_id: fileOf('GENOTYPE'), replicates: 2 },
          architecture: [{ trait: 'EarHT', qtl: 20, variance: 1 }],
          schemes: [
            {
              ...{ name: 'One', cycles: 3, error: { environment: 1, plot: 1 }, costs: { cross: 20, dh: 30, plot: 25 } },
              start: [{ do: 'take', from: 'founders', range: [1, 3], into: 'parents' }],
              cycle: [
                { do: 'measure', stage: 'candidates', population: 'parents' },
                { do: 'cross', from: 'parents', plan: 'circular', into: 'F1', years: 1 },
                { do: 'dh', from: 'F1', lines: 4, into: 'lines', years: 1 },
                {
                  ...{ do: 'phenotype', population: 'lines', trait: 'EarHT', environments: 2, replicates: 2 },
                  ...{ as: 'y', years: 1 },
                },
                { do: 'measure', stage: 'tested', population: 'lines', criterion: 'y' },
                { do: 'select', from: 'lines', by: 'y', count: 3, into: 'parents' },
                { do: 'measure', stage: 'selected', population: 'parents' },
              ],
            },
          ],
        },
      });
    await finished('programmes', 'SUCCESS');
    const id = await first('programmes');
    // Refused where another journey has started it.
    await page.request.post(`${baseUrl()}/api${project}/programmes/${id}/plan`, {
      headers: { authorization: `Bearer ${access_token}` },
      data: { starts_on: '2027-03-01' },
    });
    return id;
  };
  const stacking = async () => {
    if ((await first('stacking_plans')) === '')
      await page.request.post(`${baseUrl()}/api${project}/stacking_plans`, {
        headers: { authorization: `Bearer ${access_token}` },
        data: { name: 'Three into one', genotype_id: fileOf('GENOTYPE'), ...STACK },
      });
    await finished('stacking_plans', 'SUCCESS');
    return await first('stacking_plans');
  };
  shared ??= (async () => {
    const answer = await page.request.post(`${baseUrl()}/api${project}/share_links`, {
      headers: { authorization: `Bearer ${access_token}` },
      data: { entity_kind: 'gwas', entity_id: await first('gwas') },
    });
    return new URL(((await answer.json()) as { url: string }).url).hash.slice(1);
  })();
  return {
    project,
    organization: `/organizations/${(await list('/organizations'))[0]?.id}`,
    genotype: fileOf('GENOTYPE'),
    phenotype: files.find(({ name }) => name === 'phenotypes.csv')?.id ?? '',
    model: await first('models'),
    prediction: await first('predictions'),
    gwas: await first('gwas'),
    plan: await first('crossing_plans'),
    check: await first('parentage_checks'),
    crossing: await first('crossing_simulations'),
    trials: await first('trial_analyses'),
    trial: await first('trials'),
    decision: await decision(),
    programme: await programme(),
    stacking: await stacking(),
    germplasm: await first('germplasms'),
    shared: await shared,
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
