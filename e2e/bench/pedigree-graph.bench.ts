// The pedigree graph with 5,000 individuals in Chromium: time until the first picture (goal 1 s), and frame times while
// panning and zooming (goal: median below 17 ms). `--keep FOLDER` leaves pictures of the page there.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { baseUrl, giveName, signInAsNewUser } from '../support/journeys.ts';
import startProduct from '../support/start-product.ts';

const size = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 5000);
const keepAt = process.argv.indexOf('--keep');
const folder = keepAt < 0 ? undefined : process.argv[keepAt + 1];
const PAN_FRAMES = 300;

/** Lines of a breeding programme: families of 12 F5 lines, doubled haploids and backcrosses. */
function pedigreeCsv(): string {
  const lines = ['name,female,male,cross_type,generation,collection'];
  let state = 12_345;
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % limit;
  };
  const founders = Math.round(size / 60);
  for (let i = 0; i < founders; i++) lines.push(`Founder ${i},,,DH,,Founders`);
  const nameOf = (i: number): string => (i < founders ? `Founder ${i}` : `Line ${i}`);
  let [mother, father, kind] = [0, 1, 0];
  for (let i = founders; i < size; i++) {
    if ((i - founders) % 12 === 0) {
      // A family of a later cycle comes from lines of the one before.
      const from = Math.max(0, Math.floor(i * 0.6) - founders);
      mother = from + below(Math.max(1, i - from));
      father = from + below(Math.max(1, i - from));
      if (father === mother) father = (father + 1) % i;
      kind = below(10);
    }
    const [female, male] = [nameOf(mother), kind === 0 ? '' : nameOf(father)];
    lines.push(
      `Line ${i},${female},${male},${kind === 0 ? 'DH' : ''},${kind === 0 ? '' : 'F5'},Cycle ${Math.floor(Math.log2(i / founders))}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

async function grow(page: Page): Promise<string> {
  const token = await signInAsNewUser(page, 'bench@example.org');
  const headers = { authorization: `Bearer ${token}` };
  const post = async (path: string, data: object): Promise<{ id: string }> => {
    const response = await page.request.post(`${baseUrl()}/api${path}`, { headers, data });
    if (!response.ok()) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  await giveName(page);
  const organization = await post('/organizations', { name: 'Bench' });
  const crop = await post(`/organizations/${organization.id}/crops`, { name: 'Maize' });
  const response = await page.request.post(`${baseUrl()}/api/organizations/${organization.id}/germplasms`, {
    headers,
    multipart: {
      crop_id: crop.id,
      generate_unknown_parent: 'true',
      file: { name: 'pedigree.csv', mimeType: 'text/csv', buffer: Buffer.from(pedigreeCsv()) },
    },
    timeout: 120_000,
  });
  if (!response.ok()) throw new Error(await response.text());
  return `${baseUrl()}/organizations/${organization.id}/pedigree`;
}

/** Times between frames while something is done in each of them. */
function frameTimes(page: Page, what: 'pan' | 'zoom'): Promise<number[]> {
  return page.evaluate(
    async ({ frames, action }) => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[tabindex]');
      if (canvas === null) throw new Error('there is no graph');
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      // A synthetic pointer cannot be captured.
      canvas.setPointerCapture = () => {};
      const send = (type: string, at: number): void => {
        canvas.dispatchEvent(
          new PointerEvent(type, { pointerId: 1, clientX: x + at, clientY: y + at / 3, buttons: 1, bubbles: true }),
        );
      };
      const times: number[] = [];
      if (action === 'pan') send('pointerdown', 0);
      let before = await new Promise<number>(requestAnimationFrame);
      for (let frame = 0; frame < frames; frame++) {
        if (action === 'pan') send('pointermove', 700 * Math.sin(frame / 25));
        else {
          const deltaY = frame % 60 < 30 ? -40 : 40;
          canvas.dispatchEvent(
            new WheelEvent('wheel', { clientX: x, clientY: y, deltaY, bubbles: true, cancelable: true }),
          );
        }
        const now = await new Promise<number>(requestAnimationFrame);
        times.push(now - before);
        before = now;
      }
      if (action === 'pan') send('pointerup', 0);
      return times;
    },
    { frames: PAN_FRAMES, action: what },
  );
}

/** CPU seconds of the page's main thread: what it takes on a machine with nothing else to do. */
async function mainThreadClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
}

function report(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  process.stdout.write(`${what.padEnd(34)} median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms\n`);
}

const VIEWS = [
  [1440, 900],
  [768, 1024],
  [360, 740],
] as const;

async function keepPictures(page: Page, address: string, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of VIEWS) {
      await page.setViewportSize({ width, height });
      await page.goto(address);
      await page.locator('canvas[tabindex]').waitFor({ timeout: 120_000 });
      await page.getByRole('combobox', { name: 'Find an individual' }).fill(`Line ${size - 30}`);
      await page.locator('[role=option]').first().click();
      await page.waitForTimeout(800);
      await page.screenshot({ path: join(into, `${colorScheme}-${width}.png`), fullPage: width < 1440 });
    }
  }
}

const stop = await startProduct();
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const address = await grow(page);
  // The second visit has the code of the application in the cache.
  await page.goto(address);
  await page.locator('canvas[tabindex]').waitFor({ timeout: 120_000 });
  const cpu = await mainThreadClock(page);
  const before = await cpu();
  await page.reload();
  await page.locator('canvas[tabindex]').waitFor({ timeout: 120_000 });
  const spent = (await cpu()) - before;
  const first = await page.evaluate(() => performance.now());
  const answered = await page.evaluate(() => {
    const answer = performance.getEntriesByType('resource').find(({ name }) => /\/pedigree\?/.test(name));
    return answer instanceof PerformanceResourceTiming ? answer.responseEnd : Number.NaN;
  });
  process.stdout.write(
    `${size} individuals: graph ${Math.round(first)} ms after the start of the page, ${Math.round(first - answered)} ms after the data, ` +
      `${Math.round(1000 * spent)} ms CPU of the page's main thread\n`,
  );
  report('panning the whole graph', await frameTimes(page, 'pan'));
  report('zooming', await frameTimes(page, 'zoom'));
  await page.getByRole('combobox', { name: 'Find an individual' }).fill(`Line ${size - 30}`);
  await page.locator('[role=option]').first().click();
  await page.waitForTimeout(500);
  report('panning at a readable size', await frameTimes(page, 'pan'));
  if (folder !== undefined) await keepPictures(page, address, folder);
} finally {
  await browser.close();
  await stop();
}
