// Takes the pictures of the start page that show how a messy table is mended: starts the product, uploads a table as a
// spreadsheet program in German saves it, and photographs the report, the choices and the checked table, light and
// dark. Run it when the import report has changed: npx node scripts/healing-pictures.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import config from '../e2e/playwright.config.ts';
import { signInWithProject } from '../e2e/support/journeys.ts';
import { launchProduct } from '../e2e/support/start-product.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const to = join(root, 'apps/web/src/features/people/auth/pictures');
const data = join(root, 'apps/server/src/features/operation/demo/data/phenotypes.csv');
/** The part of the page beside the navigation, 16:9. */
const CLIP = { x: 232, y: 96, width: 1040, height: 585 };
const WIDTH = 960;
const QUALITY = 0.75;

const { url: base, dataDir, stop } = await launchProduct({ DEMO: 'off' });
process.env.HETEROSIS_URL = base;
process.env.HETEROSIS_DATA_DIR = dataDir;
try {
  mkdirSync(to, { recursive: true });
  const browser = await chromium.launch(config.use.launchOptions);
  for (const scheme of ['light', 'dark']) await photograph(browser, scheme);
  await browser.close();
} finally {
  await stop();
}

async function photograph(browser, scheme) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const { url } = await signInWithProject(page, `healing-${scheme}`, {});
  await page.goto(`${url}/storage`);
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'Ertrag 2026.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(messyTable()),
  });
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Upload/ })
    .click();
  await page.getByRole('link', { name: 'Ertrag 2026.csv' }).first().click();
  const averages = page.getByRole('checkbox', { name: /Average repeated rows/ });
  await averages.waitFor();
  // Without the list of uploads, which would stand over the report.
  await page.reload();
  await averages.waitFor();
  await keep(page, 'broken', scheme);
  await averages.check();
  await page.getByRole('radio', { name: /n\.b\. as missing/ }).check();
  await keep(page, 'asked', scheme);
  await page.getByRole('button', { name: /again/ }).click();
  await page
    .getByText(/^ready/)
    .first()
    .waitFor();
  await page.getByRole('img', { name: /EarHT/ }).or(page.getByText('EarDia')).first().waitFor();
  await page.waitForTimeout(1500);
  await keep(page, 'ready', scheme);
  await context.close();
}

/** The trials of the demo as they come from the field: a title, commas, a code for missing, lines measured twice. */
function messyTable() {
  const [head, ...rows] = readFileSync(data, 'utf8').trimEnd().split('\n');
  const german = rows.map((row) => row.replaceAll(';', ' ').replaceAll(',', ';').replaceAll('.', ','));
  const lines = german.map((row, index) => {
    const cells = row.split(';');
    if (index % 9 === 4) cells[1] = 'n.b.';
    return cells.join(';');
  });
  const again = german.slice(0, 2);
  return ['Ertragsversuche 2026;;;', head.replaceAll(',', ';'), ...lines, ...again].join('\r\n');
}

async function keep(page, name, scheme) {
  const png = (await page.screenshot({ clip: CLIP })).toString('base64');
  const webp = await page.evaluate(shrink, { png, width: WIDTH, quality: QUALITY });
  writeFileSync(join(to, `healing-${name}${scheme === 'dark' ? '.dark' : ''}.webp`), Buffer.from(webp, 'base64'));
}

/** In the browser, which has a WebP encoder. */
async function shrink({ png, width, quality }) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.round((image.height / image.width) * width);
  const draw = canvas.getContext('2d');
  draw.imageSmoothingQuality = 'high';
  draw.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/webp', quality).split(',')[1];
}
