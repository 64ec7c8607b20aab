// Takes the pictures of the user guide from the demo: starts the product on an empty directory, waits until the
// demo's runs have ended, and photographs its pages, light and dark. Run it when a page has changed: npx node
// scripts/guide-pictures.mjs, and scripts/home-pictures.mjs after it for the start page. Names of pictures after it
// keep the others as they are.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import config from '../e2e/playwright.config.ts';
import { admin, pickFile } from '../e2e/support/journeys.ts';
import startProduct, { OUTBOX_KEY } from '../e2e/support/start-product.ts';

const DEMO = 'demo@heterosis.example';
const SIZE = { width: 1280, height: 800 };
const WAIT_SECONDS = 180;
const only = process.argv.slice(2);
const isWanted = (name) => only.length === 0 || only.includes(name);
/** Lines of the two heterotic groups of the Corn Belt, Stiff Stalk and others. */
const POOLS = {
  females: ['A632', 'B14A', 'B37', 'B73', 'B84'],
  males: ['A619', 'C103', 'H95', 'MO17', 'OH43'],
};
const HYBRIDS = 'F1 hybrids of two pools';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'user-guide', 'pictures');

const stop = await startProduct();
const base = process.env.HETEROSIS_URL;
try {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch(config.use.launchOptions);
  for (const scheme of ['light', 'dark']) await photograph(browser, scheme);
  // After the others, because the lists show what is made for them.
  if (isWanted('hybrids') || isWanted('make-hybrids'))
    for (const scheme of ['light', 'dark']) await photographHybrids(browser, scheme);
  await browser.close();
} finally {
  await stop();
}

/** The demo's user on a page of its own. */
async function visit(browser, scheme) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: scheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(await signInLink());
  await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
  const token = await accessToken();
  const call = async (method, path, body) => {
    const authorization = `Bearer ${token}`;
    const answer = await fetch(
      `${base}/api${path}`,
      body === undefined
        ? { method, headers: { authorization } }
        : { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const get = (path) => call('GET', path);
  const project = (await get('/projects')).data.find(({ name }) => name === 'Maize diversity panel');
  return { context, page, call, get, project, at: `/projects/${project.id}` };
}

async function photograph(browser, scheme) {
  const { context, page, get, project, at } = await visit(browser, scheme);
  await admin('operators', 'add', DEMO);
  const first = async (kind) => (await finished(() => get(`${at}/${kind}`), kind)).id;
  const files = (await get(`${at}/files`)).data;
  const genotype = files.find((file) => file.name === 'genotypes.vcf.gz').id;
  const line = (await get(`${at}/germplasms?search=B73`)).data.find(({ name }) => name === 'B73').id;
  const addresses = {
    overview: at,
    files: `${at}/storage`,
    germplasm: `${at}/germplasm`,
    line: `${at}/germplasm/${line}`,
    genotype: `${at}/files/${genotype}`,
    model: `${at}/models/${await first('models')}`,
    prediction: `${at}/predictions/${await first('predictions')}`,
    gwas: `${at}/gwas/${await first('gwas')}`,
    plan: `${at}/crossingPlans/${await first('crossing_plans')}`,
    crossing: `${at}/crossingSimulation/${await first('crossing_simulations')}`,
    organization: `/organizations/${project.organization.id}`,
    billing: `/organizations/${project.organization.id}/billing`,
    account: '/account',
    operator: '/operator/organizations',
  };
  for (const [name, address] of Object.entries(addresses)) {
    if (!isWanted(name)) continue;
    await page.goto(base + address);
    await page.locator('main h1').waitFor();
    await settled(page);
    await save(page, name, scheme);
  }
  if (isWanted('train')) await photographTraining(page, at, scheme);
  await context.close();
}

async function photographTraining(page, at, scheme) {
  await page.goto(`${base}${at}/models`);
  await page.getByRole('button', { name: 'Train model' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Model name').fill('Ear height 2026');
  await pickFile(page, 'Genotype file', 'genotypes.vcf.gz');
  await pickFile(page, 'Phenotype file', 'phenotypes.csv');
  await dialog.getByText('In both').waitFor();
  await page.waitForTimeout(500);
  await save(page, 'train', scheme);
}

async function photographHybrids(browser, scheme) {
  const { context, page, call, get, at } = await visit(browser, scheme);
  const files = (await get(`${at}/files`)).data;
  const parents = files.find(({ name }) => name === 'genotypes_phased.vcf.gz').id;
  await page.goto(`${base}${at}/files/${parents}?modal=hybrids&modal_id=${parents}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('From two pools').click();
  await dialog.getByLabel('Female parents').fill(POOLS.females.join('\n'));
  await dialog.getByLabel('Male parents', { exact: true }).fill(POOLS.males.join('\n'));
  await dialog.getByText('25 hybrids').waitFor();
  await save(page, 'make-hybrids', scheme);

  const made = (await get(`${at}/predictions`)).data.find(({ name }) => name === HYBRIDS);
  const id = made?.id ?? (await predictHybrids(call, at, parents));
  await page.goto(`${base}${at}/predictions/${id}`);
  const heading = page.getByRole('heading', { name: 'Hybrids by parents' });
  await heading.waitFor();
  // Below the bar at the top, which stays.
  await heading.evaluate((element) => window.scrollBy(0, element.getBoundingClientRect().top - 72));
  await page.waitForTimeout(3000);
  await save(page, 'hybrids', scheme);
  await context.close();
}

/** Makes the hybrids of the pools, and predicts them with the demo's model. */
async function predictHybrids(call, at, parents) {
  const name = 'hybrids.vcf.gz';
  await call('POST', `${at}/files/${parents}/hybrids`, { name, ...POOLS });
  const end = Date.now() + WAIT_SECONDS * 1000;
  let made;
  while (!made?.status.startsWith('READY')) {
    if (made?.status === 'INVALID' || Date.now() > end) throw new Error(`The hybrids were not made: ${made?.status}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    made = (await call('GET', `${at}/files`)).data.find((file) => file.name === name);
  }
  const [model] = (await call('GET', `${at}/models`)).data;
  const { id } = await call('POST', `${at}/predictions`, { name: HYBRIDS, model_id: model.id, genotype_id: made.id });
  await finished(() => call('GET', `${at}/predictions`), 'prediction of hybrids');
  return id;
}

/** Nothing is on its way any more, and charts have drawn after their data have arrived. */
async function settled(page) {
  await page
    .locator('header')
    .getByRole('button', { name: /^Menu of/ })
    .waitFor();
  await page.waitForTimeout(1000);
  await page.waitForFunction(() => document.querySelector('main .mantine-Skeleton-root') === null, undefined, {
    timeout: 120_000,
  });
  await page.waitForTimeout(3000);
}

function save(page, name, scheme) {
  return page.screenshot({ path: join(folder, scheme === 'dark' ? `${name}.dark.png` : `${name}.png`) });
}

/** The newest run of a kind, once its last stage has ended; a run that failed is no picture. */
async function finished(list, kind) {
  const end = Date.now() + WAIT_SECONDS * 1000;
  for (;;) {
    const run = (await list()).data[0];
    const states = typeof run?.status === 'string' ? [run.status] : Object.values(run?.status ?? {});
    if (states.includes('ERROR')) throw new Error(`The demo's ${kind} failed`);
    if (states.length > 0 && states.every((state) => ['SUCCESS', 'EVALUATED'].includes(state))) return run;
    if (Date.now() > end) throw new Error(`The demo's ${kind} did not end within ${WAIT_SECONDS} s`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function signInLink() {
  await fetch(`${base}/api/auth/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: DEMO }),
  });
  const { data } = await (await fetch(`${base}/api/dev/outbox?key=${OUTBOX_KEY}`)).json();
  return data.find((mail) => mail.to === DEMO).link;
}

async function accessToken() {
  const code = new URL(await signInLink()).searchParams.get('code');
  const answer = await fetch(`${base}/api/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'email_link', code }),
  });
  return (await answer.json()).access_token;
}
