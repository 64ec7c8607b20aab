// Takes the pictures of the user guide from the demo: starts the product on an empty directory, waits until the
// demo's runs have ended, and photographs its pages, light and dark. Run it when a page has changed: npx node
// scripts/guide-pictures.mjs, and scripts/home-pictures.mjs after it for the start page.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { admin, pickFile } from '../e2e/journeys.ts';
import config from '../e2e/playwright.config.ts';
import startProduct from '../e2e/start-product.ts';

const DEMO = 'demo@heterosis.example';
const SIZE = { width: 1280, height: 800 };
const WAIT_SECONDS = 180;
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'user-guide', 'pictures');

const stop = await startProduct();
const base = process.env.HETEROSIS_URL;
try {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch(config.use.launchOptions);
  for (const scheme of ['light', 'dark']) await photograph(browser, scheme);
  await browser.close();
} finally {
  await stop();
}

async function photograph(browser, scheme) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: scheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(await signInLink());
  await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
  const token = await accessToken();
  const get = async (path) =>
    (await fetch(`${base}/api${path}`, { headers: { authorization: `Bearer ${token}` } })).json();

  await admin('operators', 'add', DEMO);
  const [project] = (await get('/projects')).data;
  const at = `/projects/${project.id}`;
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
    await page.goto(base + address);
    await page.locator('main h1').waitFor();
    // Charts draw after their data have arrived.
    await page.waitForTimeout(3000);
    await save(page, name, scheme);
  }
  await page.goto(`${base}${at}/models`);
  await page.getByRole('button', { name: 'Train model' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Model name').fill('Ear height 2026');
  await pickFile(page, 'Genotype file', 'genotypes.vcf.gz');
  await pickFile(page, 'Phenotype file', 'phenotypes.csv');
  await dialog.getByText('In both').waitFor();
  await page.waitForTimeout(500);
  await save(page, 'train', scheme);
  await context.close();
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
  const { data } = await (await fetch(`${base}/api/dev/outbox`)).json();
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
