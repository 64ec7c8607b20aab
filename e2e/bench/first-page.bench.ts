// The start page on a throttled 4G line in Chromium, with an empty cache: until it is there and answers (goal 1.5 s).
// The profile is that of WebPageTest's "4G": 9 Mbit/s and 170 ms there and back. HETEROSIS_URL takes a server that is
// running in place of a new one.
import { chromium } from '@playwright/test';
import config from '../playwright.config.ts';
import { baseUrl } from '../support/journeys.ts';
import startProduct from '../support/start-product.ts';

const LOADS = 7;
const MEGABIT_BYTES = 1e6 / 8;
const LINE = {
  offline: false,
  latency: 170,
  downloadThroughput: 9 * MEGABIT_BYTES,
  uploadThroughput: 9 * MEGABIT_BYTES,
};

/** For `addInitScript`: when the field is there and has a handler, so that what is typed is kept and sent. */
function watchField(): void {
  const watch = new MutationObserver(() => {
    const field = document.querySelector('input[type=email]');
    if (!field || !Object.keys(field).some((key) => key.startsWith('__react'))) return;
    watch.disconnect();
    // What React has put into the page answers once its effects have run.
    setTimeout(() => Object.assign(globalThis, { interactive: performance.now() }));
  });
  watch.observe(document, { childList: true, subtree: true });
}

const stop = process.env.HETEROSIS_URL === undefined ? await startProduct() : undefined;
const browser = await chromium.launch(config.use?.launchOptions);
const [frames, times, bytes]: [number[], number[], number[]] = [[], [], []];
try {
  for (let load = 0; load < LOADS; load++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const line = await context.newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', LINE);
    await page.addInitScript(watchField);
    let received = 0;
    line.on('Network.loadingFinished', ({ encodedDataLength }) => {
      received += encodedDataLength;
    });
    await page.goto(baseUrl());
    await page.getByLabel('E-mail').first().fill('a@b.example');
    const { interactive, frame } = await page.evaluate(() => ({
      interactive: (globalThis as unknown as { interactive: number }).interactive,
      frame: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    }));
    frames.push(frame);
    times.push(interactive);
    bytes.push(received);
    await context.close();
  }
} finally {
  await browser.close();
  await stop?.();
}
const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
process.stdout.write(
  `start page, empty cache, 9 Mbit/s and 170 ms, ${LOADS} loads: frame after ${Math.round(median(frames))} ms, ` +
    `interactive after ${Math.round(median(times))} ms (largest ${Math.round(Math.max(...times))}; goal 1,500); ` +
    `${Math.round(median(bytes) / 1000)} kB received by then\n`,
);
process.exit(0);
