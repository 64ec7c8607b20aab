// A Manhattan plot of 1,000,000 markers in Chromium: from the request for its points to its first picture (goal 1 s),
// and from the choice of a chromosome to the next picture (goal 100 ms). The points are thinned as the server thins
// them and given here in its place, so that the browser alone is measured. A number sets another size;
// HETEROSIS_URL takes a server that is running, with the demo, in place of a new one.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { baseUrl, mailedLink } from '../journeys.ts';
import config from '../playwright.config.ts';
import startProduct from '../start-product.ts';

const size = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 1_000_000);
const LOADS = 5;
const ZOOMS = 10;
const CHROMOSOMES = 10;
const CHROMOSOME_BP = 200e6;
const EMAIL = 'demo@heterosis.example';
const FIELDS_BYTES = 12;
/** Beyond as many markers a zoom asks the server for the points of its part. */
const ALL_AT_ONCE = 50_000;

/** Markers at even distances; p-values as under no association, one in a thousand stronger. */
function genome() {
  const chromosome = new Int32Array(size);
  const position = new Float64Array(size);
  const height = new Float64Array(size);
  const each = Math.ceil(size / CHROMOSOMES);
  let state = 12_345;
  for (let marker = 0; marker < size; marker++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    chromosome[marker] = Math.floor(marker / each);
    position[marker] = Math.round(((marker % each) / each) * CHROMOSOME_BP);
    height[marker] = -Math.log10((state + 1) / 2_147_483_649) + (marker % 1000 === 0 ? 2 : 0);
  }
  return { chromosome, position, height, each };
}

type PlotPoints = (chromosome: Int32Array, position: Float64Array, negLog10P: Float64Array) => Float32Array;

/** Not by its name: the journeys are compiled without the server. */
const thinning = join(import.meta.dirname, '../../apps/server/src/features/gwas/plot-points.ts');
const { plotPoints } = (await import(pathToFileURL(thinning).href)) as { plotPoints: PlotPoints };

/** The answers of the server: for the genome, and for each chromosome. */
function answers(): { whole: Buffer; parts: Buffer[] } {
  const { chromosome, position, height, each } = genome();
  const bytesOf = (from: number, to: number): Buffer => {
    const points = plotPoints(chromosome.subarray(from, to), position.subarray(from, to), height.subarray(from, to));
    return Buffer.from(points.buffer, points.byteOffset, points.byteLength);
  };
  const parts = Array.from({ length: CHROMOSOMES }, (_, index) => bytesOf(index * each, (index + 1) * each));
  return { whole: bytesOf(0, size), parts };
}

/** Signs in as the demo breeder; the address of its GWAS. */
async function signIn(page: Page): Promise<string> {
  await page.request.post(`${baseUrl()}/api/auth/link`, { data: { email: EMAIL } });
  const exchange = page.waitForResponse((response) => response.url().endsWith('/api/auth/token'));
  await page.goto(await mailedLink(page.request, EMAIL));
  const { access_token } = (await (await exchange).json()) as { access_token: string };
  const first = async (path: string): Promise<string> => {
    const response = await page.request.get(`${baseUrl()}/api${path}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    const { data } = (await response.json()) as { data: { id: string }[] };
    return data[0]?.id ?? '';
  };
  const project = await first('/projects');
  return `/projects/${project}/gwas/${await first(`/projects/${project}/gwas`)}`;
}

/** Gives the points in place of the server, and says that they are of so many markers. */
async function answerPlots(page: Page, { whole, parts }: ReturnType<typeof answers>): Promise<void> {
  await page.route('**/api/projects/*/gwas/*/plot?*', async (route) => {
    const chr = new URL(route.request().url()).searchParams.get('chr');
    const body = chr === null ? whole : (parts[Number(chr) - 1] ?? whole);
    await route.fulfill({ body, contentType: 'application/octet-stream' });
  });
  await page.route(/\/api\/projects\/[^/]+\/gwas\/[^/?]+$/, async (route) => {
    const answer = await route.fetch();
    const detail = (await answer.json()) as { summary: Record<string, { m: number }> };
    for (const summary of Object.values(detail.summary)) summary.m = Math.max(size, ALL_AT_ONCE + 1);
    await route.fulfill({ response: answer, json: detail });
  });
}

/** For `addInitScript`: when something was drawn on a canvas. */
function watchDrawing(): void {
  const drawn: number[] = [];
  Object.assign(globalThis, { drawn });
  const prototype = CanvasRenderingContext2D.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of ['fill', 'rect', 'fillRect']) {
    const draw = prototype[name];
    prototype[name] = function watched(this: CanvasRenderingContext2D, ...given: unknown[]) {
      drawn.push(performance.now());
      return draw?.apply(this, given);
    };
  }
}

const drawnAfter = (page: Page, from: number): Promise<{ first: number; last: number }> =>
  page.evaluate((start) => {
    const all = (globalThis as unknown as { drawn: number[] }).drawn.filter((at) => at > start);
    return { first: all[0] ?? Number.NaN, last: all.at(-1) ?? Number.NaN };
  }, from);

/** Waits until nothing has been drawn for a while. */
async function settle(page: Page): Promise<void> {
  for (let before = -1, still = 0; still < 4; ) {
    await page.waitForTimeout(150);
    const { last } = await drawnAfter(page, 0);
    still = last === before ? still + 1 : 0;
    before = last;
  }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const inMs = (values: number[]): string =>
  `median ${Math.round(median(values))} ms, largest ${Math.round(Math.max(...values))} ms`;

const stop = process.env.HETEROSIS_URL === undefined ? await startProduct() : undefined;
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const address = await signIn(page);
  const given = answers();
  await answerPlots(page, given);
  await page.addInitScript(watchDrawing);

  const first: number[] = [];
  for (let load = 0; load <= LOADS; load++) {
    await page.goto(`${baseUrl()}${address}`);
    await page.getByRole('img', { name: /^Manhattan plot/ }).waitFor();
    await settle(page);
    const asked = await page.evaluate(
      () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/plot?'))?.startTime ?? 0,
    );
    // The first load fills the cache of the browser.
    if (load > 0) first.push((await drawnAfter(page, asked)).last - asked);
  }
  const [zooms, whole]: [number[], number[]] = [[], []];
  const chosen = page.getByLabel('Chromosome shown').first();
  for (let zoom = 0; zoom < ZOOMS; zoom++) {
    const started = await page.evaluate(() => performance.now());
    await chosen.selectOption({ index: 1 + (zoom % CHROMOSOMES) });
    await settle(page);
    const drawn = await drawnAfter(page, started);
    zooms.push(drawn.first - started);
    whole.push(drawn.last - started);
  }
  process.stdout.write(
    `${size.toLocaleString('en')} markers, ${(given.whole.length / FIELDS_BYTES).toLocaleString('en')} points of the overview\n` +
      `from the request to the last point: ${inMs(first)} (goal 1,000)\n` +
      `from a choice to the next picture: ${inMs(zooms)} (goal 100); to every point of the part: ${inMs(whole)}\n`,
  );
} finally {
  await browser.close();
  await stop?.();
}
process.exit(0);
