// From the click to the complete page in Chromium, on the demo: heading, tables, figures, and nothing that still
// loads (goals: start page 1.0 s, GWAS 1.0 s, model 0.8 s, lists 0.3 s, on two cores with nothing beside). Each page
// is opened in a browser of its own, so that its code is loaded too. What took the time: when the last answer was
// there, and how much of the processor the main thread took. HETEROSIS_URL and HETEROSIS_DATA_DIR take a server that is
// running.
import { loadavg } from 'node:os';
import { type BrowserContext, chromium } from '@playwright/test';
import config from '../playwright.config.ts';
import { openDemo } from '../support/demo.ts';
import { baseUrl } from '../support/journeys.ts';
import startProduct from '../support/start-product.ts';

const LOADS = 3;
/** Something that ECharts has drawn. */
const CHART = 'main canvas, main [_echarts_instance_] svg path';

interface Target {
  name: string;
  goalMs: number;
  /** Part of the address of the link that is pressed on the overview; undefined: the page is loaded as a whole. */
  link: string | undefined;
  /** What makes the page complete. */
  shows: string;
}

const list = (name: string, link: string): Target => ({
  name,
  goalMs: 300,
  link: `nav a[href$="${link}"]`,
  shows: 'h1',
});
const TARGETS: Target[] = [
  { name: 'start page', goalMs: 1000, link: undefined, shows: 'main svg, main canvas' },
  { name: 'GWAS', goalMs: 1000, link: 'main a[href*="/gwas/"]', shows: CHART },
  { name: 'model', goalMs: 800, link: 'main a[href*="/models/"]', shows: CHART },
  list('files', '/storage'),
  list('germplasm', '/germplasm'),
  list('lists', '/lists'),
  list('models', '/models'),
  list('predictions', '/predictions'),
  list('GWAS, list', '/gwas'),
  list('trial analyses', '/trialAnalyses'),
  list('parentage checks', '/parentageChecks'),
  list('crossing plans', '/crossingPlans'),
  list('crossing simulations', '/crossingSimulation'),
];

interface Measured {
  completeMs: number;
  answeredMs: number;
  /** Processor time of the main thread. */
  busyMs: number;
}

/** Runs in the page. Complete is what has not changed for a while, from then on when it last changed. */
async function untilComplete({ shows, from }: { shows: string; from: number }): Promise<[number, number]> {
  const QUIET_MS = 400;
  const LOADING = '[aria-label="Loading"], [aria-busy="true"], [data-waiting], [data-pending]';
  let changedAt = performance.now();
  // What is only read aloud is no part of the picture: the name of a new page is told once it has stood for a while.
  const isSeen = ({ target }: MutationRecord): boolean =>
    (target instanceof Element ? target : target.parentElement)?.closest('.hx-visually-hidden') === null;
  const watch = new MutationObserver((records) => {
    if (records.some(isSeen)) changedAt = performance.now();
  });
  watch.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  const isComplete = () =>
    document.querySelector('h1') !== null &&
    document.querySelector(shows) !== null &&
    document.querySelector(LOADING) === null;
  for (;;) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (performance.now() - from > 30_000) throw new Error(`not complete after 30 s: ${location.href}`);
    if (isComplete() && performance.now() - changedAt > QUIET_MS) break;
  }
  watch.disconnect();
  const answered = performance
    .getEntriesByType('resource')
    .flatMap((one) =>
      one.startTime >= from && !one.name.includes('/events') ? [(one as PerformanceResourceTiming).responseEnd] : [],
    )
    .filter((end) => end <= changedAt);
  return [changedAt - from, Math.max(from, ...answered) - from];
}

async function measure(context: BrowserContext, { link, shows }: Target, overview: string): Promise<Measured> {
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  // In time of the processor, so that what runs beside it does not count.
  await line.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () =>
    (await line.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  if (link === undefined) {
    await page.goto(baseUrl(), { waitUntil: 'commit' });
    const [completeMs, answeredMs] = await page.evaluate(untilComplete, { shows, from: 0 });
    return { completeMs, answeredMs, busyMs: 1000 * (await busy()) };
  }
  await page.goto(overview);
  await page.evaluate(untilComplete, {
    shows: link,
    from: await page.evaluate(() => performance.now()),
  });
  const before = await busy();
  const from = await page.evaluate((one) => {
    const element = document.querySelector<HTMLElement>(one);
    if (element === null) throw new Error(`the overview has no ${one}`);
    const begin = performance.now();
    element.click();
    return begin;
  }, link);
  const [completeMs, answeredMs] = await page.evaluate(untilComplete, { shows, from });
  return { completeMs, answeredMs, busyMs: 1000 * ((await busy()) - before) };
}

const median = (values: number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN);

const stop = process.env.HETEROSIS_URL === undefined ? await startProduct() : undefined;
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const first = await browser.newContext();
  const { project } = await openDemo(await first.newPage());
  const state = await first.storageState();
  await first.close();
  for (const target of TARGETS) {
    const found: Measured[] = [];
    for (let load = 0; load < LOADS; load++) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        ...(target.link === undefined ? {} : { storageState: state }),
      });
      found.push(await measure(context, target, baseUrl() + project));
      await context.close();
    }
    const complete = found.map(({ completeMs }) => completeMs);
    process.stdout.write(
      `${target.name}: complete after ${median(complete)} ms (largest ${Math.round(Math.max(...complete))}; goal ` +
        `${target.goalMs}), last answer after ${median(found.map(({ answeredMs }) => answeredMs))} ms, ` +
        `${median(found.map(({ busyMs }) => busyMs))} ms of the processor in the main thread\n`,
    );
  }
  process.stdout.write(`medians of ${LOADS} loads; load of the machine ${loadavg()[0]?.toFixed(1)}\n`);
} finally {
  await browser.close();
  await stop?.();
}
process.exit(0);
