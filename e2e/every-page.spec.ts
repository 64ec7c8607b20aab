import { type BrowserContext, expect, test } from '@playwright/test';
import {
  baseUrl,
  expectAccessible,
  expectFitting,
  expectStill,
  expectToFit,
  mailedLink,
  watchLayout,
} from './journeys.ts';

/** The demo, which the product creates in an empty database. */
interface Demo {
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

const PAGES: readonly [string, (demo: Demo) => string][] = [
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
  ['the pedigree of a project', ({ project }) => `${project}/pedigrees`],
  ['the crossing plans', ({ project }) => `${project}/crossingPlans`],
  ['a crossing plan', ({ project, plan }) => `${project}/crossingPlans/${plan}`],
  ['the crossing simulations', ({ project }) => `${project}/crossingSimulation`],
  ['a crossing simulation', ({ project, crossing }) => `${project}/crossingSimulation/${crossing}`],
  ['an organization', ({ organization }) => organization],
  ['its members', ({ organization }) => `${organization}/members`],
  ['its crops', ({ organization }) => `${organization}/crops`],
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

let demo: Demo;
let state: Awaited<ReturnType<BrowserContext['storageState']>>;

// The tests look at pages and change nothing.
test.describe.configure({ mode: 'parallel' });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  const context = await browser.newContext();
  const page = await context.newPage();
  const email = 'demo@heterosis.example';
  // The demo is created after the server has started.
  const patience = { timeout: 60_000 };
  await expect
    .poll(async () => (await page.request.post(`${baseUrl()}/api/auth/link`, { data: { email } })).status(), patience)
    .toBe(200);
  const exchange = page.waitForResponse((response) => response.url().endsWith('/api/auth/token'));
  await page.goto(await mailedLink(page.request, email));
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
  demo = {
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
  await expect(page.getByRole('heading').first()).toBeVisible();
  state = await context.storageState();
  await context.close();
});

/**
 * Each page is loaded once and looked at in every view: loading costs more than looking. The scheme changes colours
 * alone, and what is shown at 768 pixels is shown at 360 or 1440, too; so every rule is applied at two widths, and the
 * rule of contrast there in both schemes.
 */
const VIEWS: readonly { width: number; colorScheme: 'light' | 'dark'; rules: 'all' | 'contrast' | 'none' }[] = [
  { width: 360, colorScheme: 'light', rules: 'all' },
  { width: 768, colorScheme: 'light', rules: 'none' },
  { width: 1440, colorScheme: 'light', rules: 'contrast' },
  { width: 1440, colorScheme: 'dark', rules: 'all' },
  { width: 360, colorScheme: 'dark', rules: 'contrast' },
];

// The pages are dealt out to as many tests as run side by side, so that long pages meet short ones.
const SHARES = 2;
for (let share = 0; share < SHARES; share++) {
  test(`every page is sound at three widths, light and dark, part ${share + 1}`, async ({ browser }) => {
    test.setTimeout(300_000);
    const context = await browser.newContext({ storageState: state, reducedMotion: 'reduce' });
    await context.addInitScript(watchLayout);
    const page = await context.newPage();
    // A line on which data come after the first paint.
    const network = await context.newCDPSession(page);
    const slow = { offline: false, latency: 60, downloadThroughput: -1, uploadThroughput: -1 };
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', slow);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    for (const [name, addressOf] of PAGES.filter((_, index) => index % SHARES === share)) {
      await test.step(name, async () => {
        await page.goto(baseUrl() + addressOf(demo));
        await expectStill(page, name);
        for (const { width, colorScheme, rules } of VIEWS) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
          const view = `${name} at ${width} pixels, ${colorScheme}`;
          await expectFitting(page, view);
          if (rules !== 'none') await expectAccessible(page, rules === 'all' ? undefined : ['color-contrast']);
          expect(faults, `${view} wrote to the console`).toEqual([]);
        }
        // As at 400 % zoom (WCAG 1.4.10).
        await page.setViewportSize({ width: 320, height: 900 });
        await expectToFit(page, `${name} at 320 pixels`);
        await page.setViewportSize({ width: 1440, height: 900 });
      });
    }
    await context.close();
  });
}
