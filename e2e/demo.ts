import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { admin, baseUrl, query } from './journeys.ts';

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
  germplasm: string;
}

/** Every page and dialog, with its address. */
export const PAGES: readonly [string, (demo: Demo) => string][] = [
  ['the project list', () => '/projects'],
  ['the overview', ({ project }) => project],
  ['the files', ({ project }) => `${project}/storage`],
  ['a genotype file', ({ project, genotype }) => `${project}/files/${genotype}`],
  ['a phenotype file', ({ project, phenotype }) => `${project}/files/${phenotype}`],
  ['the models', ({ project }) => `${project}/models`],
  ['a model', ({ project, model }) => `${project}/models/${model}`],
  ['its marker effects', ({ project, model }) => `${project}/models/${model}?tab=effects`],
  ['its ranking', ({ project, model }) => `${project}/models/${model}?tab=gebv`],
  ['its provenance', ({ project, model }) => `${project}/models/${model}?tab=provenance`],
  ['the predictions', ({ project }) => `${project}/predictions`],
  ['a prediction', ({ project, prediction }) => `${project}/predictions/${prediction}`],
  ['the list of GWAS', ({ project }) => `${project}/gwas`],
  ['a GWAS', ({ project, gwas }) => `${project}/gwas/${gwas}`],
  ['a region of it', ({ project, gwas }) => `${project}/gwas/${gwas}?zoom=1:276719882-284719882`],
  ['a marker of it', ({ project, gwas }) => `${project}/gwas/${gwas}?marker=PZA03188.4`],
  ['the parentage checks', ({ project }) => `${project}/parentageChecks`],
  ['a parentage check', ({ project, check }) => `${project}/parentageChecks/${check}`],
  ['the lists of a project', ({ project }) => `${project}/lists`],
  ['the pedigree of a project', ({ project }) => `${project}/pedigrees`],
  ['the crossing plans', ({ project }) => `${project}/crossingPlans`],
  ['a crossing plan', ({ project, plan }) => `${project}/crossingPlans/${plan}`],
  ['the crossing simulations', ({ project }) => `${project}/crossingSimulation`],
  ['a crossing simulation', ({ project, crossing }) => `${project}/crossingSimulation/${crossing}`],
  ['an organization', ({ organization }) => organization],
  ['its members', ({ organization }) => `${organization}/members`],
  ['its crops', ({ organization }) => `${organization}/crops`],
  ['its webhooks', ({ organization }) => `${organization}/webhooks`],
  ['its billing', ({ organization }) => `${organization}/billing`],
  ['its germplasm', ({ organization }) => `${organization}/germplasm`],
  ['the upload of germplasm', ({ organization }) => `${organization}/germplasm?modal=upload-germplasm`],
  ['the germplasm of a project', ({ project }) => `${project}/germplasm`],
  ['a germplasm', ({ project, germplasm }) => `${project}/germplasm/${germplasm}`],
  ['its audit', ({ organization }) => `${organization}/audit`],
  ['the account', () => '/account'],
  ['the about page', () => '/about'],
  ['the outbox', () => '/dev/outbox'],
  ['an address that leads nowhere', () => '/nowhere'],
  ['the dialog that trains a model', ({ project, model }) => `${project}/models?modal=create-model&modal_id=${model}`],
  ['the dialog that runs a GWAS', ({ project }) => `${project}/gwas?modal=create-gwas`],
  ['the dialog that predicts', ({ project, model }) => `${project}/models?modal=create-prediction&modal_id=${model}`],
  ['the dialog that checks parentage', ({ project }) => `${project}/parentageChecks?modal=create-parentage-check`],
  [
    'the dialog that plans crosses',
    ({ project, plan }) => `${project}/crossingPlans?modal=create-crossing-plan&modal_id=${plan}`,
  ],
  [
    'the dialog that simulates crosses',
    ({ project, crossing }) => `${project}/crossingSimulation?modal=create-crossing-simulation&modal_id=${crossing}`,
  ],
  [
    'the dialog that phases',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=phasing&modal_id=${genotype}`,
  ],
  [
    'the dialog that makes hybrids',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=hybrids&modal_id=${genotype}`,
  ],
  [
    'the dialog that converts names',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=convert-file&modal_id=${genotype}`,
  ],
  [
    'what the columns of a table hold',
    ({ project, phenotype }) => `${project}/files/${phenotype}?modal=map-columns&modal_id=${phenotype}`,
  ],
  ['the upload', ({ project }) => `${project}/storage?modal=upload-files`],
  ['the bin', ({ project }) => `${project}/storage?modal=bin`],
  ['the dialog of a new folder', ({ project }) => `${project}/storage?modal=add-folder`],
  ['the export', ({ project, genotype }) => `${project}/files/${genotype}?modal=export-file&modal_id=${genotype}`],
  [
    'the map template',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=download-spec-file&modal_id=${genotype}`,
  ],
  ['the traits of a project', ({ project }) => `${project}/models?modal=trait-settings`],
  ['all traits of a GWAS', ({ project, gwas }) => `${project}/gwas/${gwas}?all=1`],
  [
    'the comparison of models',
    ({ project, model }) => `${project}/models?modal=compare-models&modal_id=${model},${model}`,
  ],
  ['the comparison of GWAS', ({ project, gwas }) => `${project}/gwas?modal=compare-gwas&modal_id=${gwas},${gwas}`],
  ['the dialog of a new project', () => '/projects?modal=add-project'],
  ['the dialog of a new organization', () => '/projects?modal=create-org'],
  ['the invitations', () => '/projects?modal=invitation-box'],
  ['the members of a project', ({ project }) => `${project}/members`],
  ['the help', () => '/help/methods'],
];

/** Signs in as the owner of the demo and waits until all of it is there. */
export async function openDemo(page: Page): Promise<Demo> {
  // The demo is created after the server has started.
  const patience = { timeout: 60_000 };
  const created = async () =>
    (await page.request.post(`${baseUrl()}/api/auth/link`, { data: { email: DEMO } })).status();
  await expect.poll(created, patience).toBe(200);
  const exchange = page.waitForResponse((response) => response.url().endsWith('/api/auth/token'));
  // Not by the link in the mail: several test files ask for one at once.
  await page.goto(`${baseUrl()}/signin#token=${(await admin('custom-token', DEMO)).trim()}`);
  const { access_token } = (await (await exchange).json()) as { access_token: string };
  const list = async (path: string) => {
    const answer = await page.request.get(`${baseUrl()}/api${path}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    return ((await answer.json()) as { data: { id: string; file_type?: string; status: unknown }[] }).data;
  };
  await expect.poll(async () => (await list('/projects')).length, patience).toBe(1);
  const [{ id: projectId } = { id: '' }] = await list('/projects');
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
  const first = async (kind: string) => (await list(`${project}/${kind}`))[0]?.id ?? '';
  const files = await list(`${project}/files`);
  const fileOf = (type: string) => files.find(({ file_type }) => file_type === type)?.id ?? '';
  return {
    project,
    organization: `/organizations/${(await list('/organizations'))[0]?.id}`,
    genotype: fileOf('GENOTYPE'),
    phenotype: fileOf('PHENOTYPE'),
    model: await first('models'),
    prediction: await first('predictions'),
    gwas: await first('gwas'),
    plan: await first('crossing_plans'),
    check: await first('parentage_checks'),
    crossing: await first('crossing_simulations'),
    germplasm: await first('germplasms'),
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
