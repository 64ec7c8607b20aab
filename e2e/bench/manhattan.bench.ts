// A Manhattan plot of 1,000,000 markers in Chromium: from the request for its points to its first picture (goal 1 s),
// and from the choice of a chromosome to the next picture (goal 100 ms). The points are thinned as the server thins
// them and given here in its place, so that the browser alone is measured. A number sets another size;
// HETEROSIS_URL takes a server that is running, with the demo, in place of a new one.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, expect, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { baseUrl, mailedLink } from '../support/journeys.ts';
import startProduct from '../support/start-product.ts';

const size = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 1_000_000);
const LOADS = 5;
const ZOOMS = 10;
const CHROMOSOMES = 10;
const CHROMOSOME_BP = 200e6;
const EMAIL = 'demo@heterosis.example';
const FIELDS_BYTES = 12;
/** Beyond as many markers a zoom asks the server for the points of its part. */
const ALL_AT_ONCE = 50_000;
const PATIENCE = { timeout: 180_000 };

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
const thinning = join(import.meta.dirname, '../../apps/server/src/features/work/gwas/plot-points.ts');
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

/** CPU seconds of the page's main thread: what it takes on a machine with nothing else to do. */
async function mainThreadClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
}

interface Gwas {
  address: string;
  name: string;
}

/**
 * Signs in as the demo breeder, at the address that is measured: a mailed link may have another origin, which would
 * keep the session to itself.
 */
async function signIn(page: Page): Promise<string> {
  const asked = () => page.request.post(`${baseUrl()}/api/auth/link`, { data: { email: EMAIL } });
  // The demo is made after the server has started.
  await expect.poll(async () => (await asked()).status(), PATIENCE).toBe(200);
  const code = new URL(await mailedLink(page.request, EMAIL)).searchParams.get('code');
  const answer = await page.request.post(`${baseUrl()}/api/auth/token`, { data: { grant_type: 'email_link', code } });
  if (!answer.ok()) throw new Error(await answer.text());
  const tokens = (await answer.json()) as { access_token: string; expires_in: number };
  await page.goto(`${baseUrl()}/healthz`);
  await page.evaluate((session) => localStorage.setItem('heterosis.session', JSON.stringify(session)), {
    ...tokens,
    expiresAt: Date.now() + tokens.expires_in * 1000,
  });
  return tokens.access_token;
}

/** The demo's GWAS, once it has ended. */
async function findGwas(page: Page, token: string): Promise<Gwas> {
  const list = async <Item>(path: string): Promise<Item[]> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await page.request.get(`${baseUrl()}/api${path}`, { headers });
    return ((await answer.json()) as { data: Item[] }).data;
  };
  const project = async () => {
    const projects = await list<{ id: string; name: string }>('/projects');
    return `/projects/${projects.find(({ name }) => name === 'Maize diversity panel')?.id}`;
  };
  const find = async () =>
    (await list<{ id: string; name: string; status: object }>(`${await project()}/gwas`).catch(() => []))[0];
  const states = async () => [...new Set(Object.values((await find())?.status ?? {}))];
  await expect.poll(states, PATIENCE).toEqual(['SUCCESS']);
  const gwas = await find();
  return { address: `${await project()}/gwas/${gwas?.id}`, name: gwas?.name ?? '' };
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

/** For `addInitScript`: when points, or anything else, were drawn on a canvas. */
function watchDrawing(): void {
  const drawn: number[] = [];
  Object.assign(globalThis, { drawn });
  const prototype = CanvasRenderingContext2D.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of ['arc', 'rect', 'fillRect', 'fill']) {
    const draw = prototype[name];
    prototype[name] = function watched(this: CanvasRenderingContext2D, ...given: unknown[]) {
      drawn.push(performance.now());
      return draw?.apply(this, given);
    };
  }
}

interface Drawn {
  count: number;
  first: number;
  last: number;
}

const drawnAfter = (page: Page, from: number): Promise<Drawn> =>
  page.evaluate((start) => {
    const all = (globalThis as unknown as { drawn: number[] }).drawn.filter((at) => at > start);
    return { count: all.length, first: all[0] ?? Number.NaN, last: all.at(-1) ?? Number.NaN };
  }, from);

/** What was drawn since, once nothing has been drawn for a while; at least each of so many points. */
async function settle(page: Page, from: number, points: number): Promise<Drawn> {
  const end = Date.now() + PATIENCE.timeout;
  for (let before = -1, still = 0; ; ) {
    await page.waitForTimeout(150);
    const drawn = await drawnAfter(page, from);
    if (Date.now() > end) throw new Error(`Only ${drawn.count} of ${points} points were drawn`);
    still = drawn.count >= points && drawn.last === before ? still + 1 : 0;
    if (still === 4) return drawn;
    before = drawn.last;
  }
}

/** Loads the page of the GWAS; milliseconds from the request for the points until the last was drawn. */
async function load(page: Page, { address, name }: Gwas, points: number): Promise<number> {
  await page.goto(`${baseUrl()}${address}`);
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible(PATIENCE);
  await expect(page.getByRole('img', { name: /^Manhattan plot of/ })).toBeVisible(PATIENCE);
  const asked = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').find(({ name: url }) => url.includes('/plot?'))?.startTime ?? -1,
    );
  await expect.poll(asked, PATIENCE).toBeGreaterThan(0);
  const from = await asked();
  return (await settle(page, from, points)).last - from;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const inMs = (values: number[]): string =>
  `median ${Math.round(median(values))} ms, largest ${Math.round(Math.max(...values))} ms`;

const stop = process.env.HETEROSIS_URL === undefined ? await startProduct() : undefined;
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const gwas = await findGwas(page, await signIn(page));
  const given = answers();
  await answerPlots(page, given);
  await page.addInitScript(watchDrawing);
  const pointsOf = (answer: Buffer | undefined): number => (answer?.length ?? 0) / FIELDS_BYTES;

  // The first load fills the cache of the browser.
  await load(page, gwas, pointsOf(given.whole));
  const first: number[] = [];
  for (let at = 0; at < LOADS; at++) {
    first.push(await load(page, gwas, pointsOf(given.whole)));
  }
  const [zooms, whole, spent]: [number[], number[], number[]] = [[], [], []];
  const cpu = await mainThreadClock(page);
  const chosen = page.getByLabel('Chromosome shown').first();
  for (let zoom = 0; zoom < ZOOMS; zoom++) {
    const chromosome = zoom % CHROMOSOMES;
    const started = await page.evaluate(() => performance.now());
    const before = await cpu();
    await chosen.selectOption({ index: 1 + chromosome });
    const drawn = await settle(page, started, pointsOf(given.parts[chromosome]));
    zooms.push(drawn.first - started);
    whole.push(drawn.last - started);
    spent.push(1000 * ((await cpu()) - before));
  }
  const count = (value: number | undefined): string => Math.round(value ?? 0).toLocaleString('en');
  process.stdout.write(
    `${count(size)} markers, ${count(pointsOf(given.whole))} points of the overview, ${count(pointsOf(given.parts[0]))} of a chromosome\n` +
      `from the request to the last point: ${inMs(first)} (goal 1,000)\n` +
      `from a choice to the next picture: ${inMs(zooms)} (goal 100); to every point of the part: ${inMs(whole)}\n` +
      `CPU of the page's main thread for a choice: ${inMs(spent)}\n`,
  );
} finally {
  await browser.close();
  await stop?.();
}
process.exit(0);
