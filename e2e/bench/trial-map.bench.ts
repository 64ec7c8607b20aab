// A trial of 10,000 plots in Chromium, from a real server: from the click on it to the map, frame times while the map
// is moved, enlarged and coloured anew and while the grid of its values is scrolled (goal: median below 17 ms), and the
// same on the map of a new trial of that size. A number sets another size.
import { randomUUID } from 'node:crypto';
import { chromium, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { openDemo } from '../support/demo.ts';
import { baseUrl } from '../support/journeys.ts';
import startProduct from '../support/start-product.ts';
import { frameTimes, median, recolourTimes } from './frame-times.ts';

const size = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 10_000);
const LINES = ['A619', 'A632', 'B14A', 'B37', 'B73', 'B84', 'C103', 'H95', 'MO17', 'OH43'];
const TRAIT = 'Yield';
const MOST_VALUES = 1_000;

/** Stores a trial with a value on every plot; its address in the application. */
async function storedTrial(page: Page, project: string): Promise<string> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('heterosis.session') ?? '{}').access_token);
  const call = async (method: string, path: string, data: object) => {
    const answer = await page.request.fetch(`${baseUrl()}/api${project}/${path}`, {
      ...{ method, data, headers: { authorization: `Bearer ${token}` } },
    });
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
    return await answer.json();
  };
  const columns = Math.ceil(Math.sqrt(size));
  const plots = Array.from({ length: size }, (_, plot) => plot);
  const layout = {
    number: plots.map((plot) => plot + 1),
    row: plots.map((plot) => Math.floor(plot / columns) + 1),
    column: plots.map((plot) => (plot % columns) + 1),
    replicate: plots.map((plot) => Math.floor((2 * plot) / size) + 1),
    block: plots.map((plot) => Math.floor(plot / columns) + 1),
    entry: plots.map((plot) => plot % LINES.length),
    kind: plots.map((plot) => (plot % 10 === 0 ? 'CHECK' : 'ENTRY')),
  };
  const { data } = await call('POST', 'trials', {
    ...{ name: `Large ${Date.now()}`, season: '2026', entries: LINES, traits: [TRAIT] },
    places: [{ location_name: 'Kiel', layout }],
  });
  const id = data[0].id as string;
  for (let first = 0; first < size; first += MOST_VALUES) {
    await call('POST', `trials/${id}/observations`, {
      observations: plots.slice(first, first + MOST_VALUES).map((plot) => ({
        ...{ id: randomUUID(), plot: plot + 1, trait: TRAIT, value: (8 + Math.sin(plot / 90)).toFixed(2) },
        observed_at: '2026-08-01T10:00:00Z',
      })),
    });
  }
  return `${baseUrl()}${project}/trials/${id}`;
}

/** Times between frames while the grid of values is scrolled. */
const scrollTimes = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const grid = document.querySelector('[role="grid"]');
    if (!grid) throw new Error('There is no grid');
    const times: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < 200; frame++) {
      grid.scrollTop += 90;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return times;
  });

async function mapFigures(page: Page, layers: readonly [string, string]): Promise<string> {
  const zoom = await frameTimes(page, 'zoom');
  await page.getByRole('button', { name: 'Enlarge' }).click({ clickCount: 3 });
  const move = await frameTimes(page, 'move');
  const recolour = await recolourTimes(page, 'Colour by', layers);
  return `median frame ${median(zoom).toFixed(1)} ms enlarging, ${median(move).toFixed(1)} ms moving; coloured anew in ${median(recolour).toFixed(0)} ms`;
}

const stop = process.env.HETEROSIS_URL === undefined ? await startProduct() : undefined;
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const { project } = await openDemo(page);
  const trial = await storedTrial(page, project);
  await page.goto(`${baseUrl()}${project}/trials`);
  const link = page.locator(`a[href="${new URL(trial).pathname}"]`).first();
  await link.waitFor();
  const start = Date.now();
  await link.click();
  await page.waitForFunction(
    () => (document.querySelector<HTMLCanvasElement>('canvas[data-field-map]')?.width ?? 0) > 300,
  );
  const first = Date.now() - start;
  await page.waitForSelector(`select[aria-label="Colour by"] option[value="trait ${TRAIT}"]`, { state: 'attached' });
  process.stdout.write(
    `trial of ${size} plots: map ${first} ms after the click; ${await mapFigures(page, [`trait ${TRAIT}`, 'replicate'])}\n`,
  );
  await page.getByRole('tab', { name: 'Values' }).click();
  await page.waitForSelector('[role="gridcell"] input');
  await page.waitForTimeout(500);
  process.stdout.write(`its grid: median frame ${median(await scrollTimes(page)).toFixed(1)} ms scrolling\n`);

  await page.goto(`${baseUrl()}${project}/trials/new`);
  await page.getByRole('radio', { name: /^Complete blocks/ }).click();
  const names = Array.from({ length: size / 2 }, (_, k) => `Line ${k + 1}`).join('\n');
  const typed = Date.now();
  // As a paste: text that Playwright types line by line takes longer than all that follows.
  await page.getByLabel('Names', { exact: true }).evaluate((field, text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, names);
  await page.waitForFunction(
    () => (document.querySelector<HTMLCanvasElement>('canvas[data-field-map]')?.width ?? 0) > 300,
    undefined,
    { timeout: 120_000 },
  );
  const drawn = Date.now() - typed;
  await page.waitForSelector('[data-design-state="whole"]', { timeout: 300_000 });
  process.stdout.write(
    `new trial of ${size} plots: map ${drawn} ms after the names; ${await mapFigures(page, ['replicate', 'kind'])}\n`,
  );
} finally {
  await browser.close();
  await stop?.();
}
process.exit(0);
