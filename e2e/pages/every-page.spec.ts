import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { everyAddress, lookedAt, OPENERS, PAGES, type Places, type Who } from '../support/all-pages.ts';
import {
  baseUrl,
  expectAccessible,
  expectFitting,
  expectStill,
  forgetShifts,
  isWhole,
  watchLayout,
  watchRest,
} from '../support/journeys.ts';

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Visit {
  name: string;
  address: string;
  state: State;
}

let visits: Visit[];

// The tests look at pages and change nothing.
test.describe.configure({ mode: 'parallel' });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(600_000);
  visits = [];
  for (const who of Object.keys(PAGES) as Who[]) visits.push(...(await visitsOf(browser, who)));
});

async function visitsOf<Kind extends Who>(browser: Browser, who: Kind): Promise<Visit[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const open: (page: Page) => Promise<Places[Kind]> = OPENERS[who];
  const place = await open(page);
  const state = await context.storageState();
  await context.close();
  return PAGES[who].map(([name, addressOf]) => ({ name, address: addressOf(place), state }));
}

test('no page and no dialog is left out', () => {
  const seen = lookedAt();
  expect(everyAddress().length).toBeGreaterThan(80);
  expect(everyAddress().filter((address) => !seen.has(address))).toEqual([]);
});

interface View {
  width: number;
  colorScheme: 'light' | 'dark';
  rules: 'all' | 'contrast of what is new' | 'none';
}

/**
 * Each page is loaded once and looked at in every view: loading costs more than looking. Every rule is applied at a
 * narrow and at a wide window, one light and one dark. The scheme changes colours alone, so the other scheme of each
 * needs the rule of contrast only, and only where something is shown that the other width did not show.
 */
const VIEWS: readonly View[] = [
  { width: 1440, colorScheme: 'dark', rules: 'all' },
  { width: 360, colorScheme: 'dark', rules: 'contrast of what is new' },
  { width: 360, colorScheme: 'light', rules: 'all' },
  // As at 400 % zoom (WCAG 1.4.10).
  { width: 320, colorScheme: 'light', rules: 'none' },
  { width: 768, colorScheme: 'light', rules: 'none' },
  { width: 1440, colorScheme: 'light', rules: 'contrast of what is new' },
];

/**
 * Outside `npm run test:all` each page is loaded wide, as there, and looked at once, with every rule: wide and dark, or
 * narrow and light. What fits 320 pixels is not looked at in 360.
 */
const TURNS: readonly View[] = [
  { width: 1440, colorScheme: 'dark', rules: 'all' },
  { width: 320, colorScheme: 'light', rules: 'all' },
];

/** Where a visit is without the dialog that it opens. */
const placeOf = (address: string): string => address.replace(/\?modal=.*/, '');

/** Each page before its dialogs, which then open on it and look as it does. */
const byPlace = (all: readonly Visit[]): Visit[][] =>
  [...Map.groupBy(all, ({ address }) => placeOf(address)).values()].map((here) =>
    here.toSorted((a, b) => Number(isDialog(a)) - Number(isDialog(b))),
  );
const isDialog = ({ address }: Visit): boolean => address !== placeOf(address);

// The pages are dealt out to as many tests as run side by side, so that long pages meet short ones.
const SHARES = 2;
for (let share = 0; share < SHARES; share++) {
  test(`every page is sound, wide and narrow, light and dark, part ${share + 1}`, async ({ browser }) => {
    test.setTimeout(1_200_000);
    for (const [state, all] of Map.groupBy(visits, (visit) => visit.state)) {
      const places = byPlace(all).filter((_, place) => place % SHARES === share);
      if (isWhole) await visitAll(browser, state, places.flat(), VIEWS);
      // Changing the scheme paints a page anew.
      else
        for (const [turn, view] of TURNS.entries())
          await visitAll(browser, state, places.filter((_, place) => place % TURNS.length === turn).flat(), [view]);
    }
  });
}

/**
 * Outside `npm run test:all` pages and dialogs of whoever is signed in open as by a link of the application: loading
 * the application again costs more than looking. The first page of each share is loaded by its address, and every
 * dialog by its name alone in `modals.spec.ts`.
 */
async function openInside(page: Page, visit: Visit, rest: () => Promise<void>): Promise<void> {
  const open = (to: string) => page.evaluate((where) => history.pushState({}, '', where), to);
  await open(isDialog(visit) ? placeOf(visit.address) : '/about');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const between = page.getByRole('heading', { name: 'About Heterosis' });
  if (!isDialog(visit)) await expect(between).toBeVisible();
  else await rest();
  await forgetShifts(page);
  await open(visit.address);
  if (isDialog(visit)) return;
  await expect(between).toHaveCount(0);
  // The page takes the place of the other in one step.
  await forgetShifts(page);
}

/** Visits pages on a line on which data come after the first paint. */
async function visitAll(
  browser: Browser,
  storageState: State,
  pages: readonly Visit[],
  views: readonly View[],
): Promise<void> {
  if (pages.length === 0) return;
  let scheme = views[0]?.colorScheme ?? 'light';
  const context = await browser.newContext({ storageState, reducedMotion: 'reduce', colorScheme: scheme });
  await context.addInitScript(watchLayout);
  // The address that a visitor has typed before the dialogs that are about it.
  await context.addInitScript(() => sessionStorage.setItem('heterosis.pending-email', 'new@example.org'));
  const page = await context.newPage();
  const rest = await watchRest(page);
  const network = await context.newCDPSession(page);
  const slow = { offline: false, latency: 60, downloadThroughput: -1, uploadThroughput: -1 };
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', slow);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  for (const [index, visit] of pages.entries())
    await test.step(visit.name, async () => {
      const { name, address } = visit;
      await page.setViewportSize({ width: 1440, height: 900 });
      const isInside = !isWhole && index > 0 && (isDialog(visit) || /^\/(?:projects|organizations)\b/.test(address));
      if (isInside) await openInside(page, visit, rest);
      else await page.goto(baseUrl() + address);
      if (isDialog(visit)) await expect(page.getByRole('dialog', { name: /./ }).first()).toBeVisible();
      await expectStill(page, name);
      await rest();
      for (const { width, colorScheme, rules } of views) {
        await page.setViewportSize({ width, height: 900 });
        if (colorScheme !== scheme) await page.emulateMedia({ colorScheme });
        scheme = colorScheme;
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
        const view = `${name} at ${width} pixels, ${colorScheme}`;
        await expectFitting(page, view);
        // The page below a dialog is judged by itself, the frame with the first page.
        const part = isDialog(visit) ? 'dialog' : 'content';
        if (rules !== 'none') await expectAccessible(page, rules, isInside ? part : 'page');
        expect(faults, `${view} wrote to the console`).toEqual([]);
      }
    });
  await context.close();
}
