// Makes the small pictures of the start page from those of the user guide: cut to what the page shows, without
// header and navigation. Run it after scripts/guide-pictures.mjs: npx node scripts/home-pictures.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import config from '../e2e/playwright.config.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const from = join(root, 'docs', 'user-guide', 'pictures');
const to = join(root, 'apps', 'web', 'src', 'features', 'people', 'auth', 'pictures');
/** Pixels of the guide's pictures, and the width of ours: twice that of the largest column they stand in. */
const CUT = { x: 232, y: 88, width: 1040, height: 650, shownWidth: 720, quality: 0.8 };

mkdirSync(to, { recursive: true });
const browser = await chromium.launch(config.use.launchOptions);
const page = await browser.newPage();
for (const name of ['genotype', 'model', 'crossing'])
  for (const ending of ['', '.dark']) {
    const png = readFileSync(join(from, `${name}${ending}.png`)).toString('base64');
    const webp = await page.evaluate(cut, { png, ...CUT });
    writeFileSync(join(to, `${name}${ending}.webp`), Buffer.from(webp, 'base64'));
  }
await browser.close();

/** In the browser, which has a WebP encoder. */
async function cut({ png, x, y, width, height, shownWidth, quality }) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = shownWidth;
  canvas.height = Math.round((height / width) * shownWidth);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/webp', quality).split(',')[1];
}
