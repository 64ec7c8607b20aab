import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Caller, readRoleTable } from '@heterosis/contracts/people/role-table';
import { expect, type Page } from '@playwright/test';
import { watchRequests } from './journeys.ts';

/** What a page offers: its enabled buttons and links of the navigation, and the entries of its menus. */
export type Offers = ReadonlySet<string>;

/** What the server was asked for while somebody walked. */
interface Traffic {
  /** Calls that were refused for want of a role. */
  refused: string[];
  /** Calls that change something; they were recorded and not sent. */
  changes: string[];
  /** Resolves when no answer is awaited. */
  settled: () => Promise<void>;
}

const ROUTES = readRoleTable(readFileSync(join(import.meta.dirname, '../../docs/roles.md'), 'utf8')).map((line) => {
  const address = line.call.replace(' ', ' /api').replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*');
  return { ...line, pattern: new RegExp(`^${address}$`) };
});

/** Whether the table lets somebody make a call, given as in the table or with ids, about what others created. */
export function isAllowed(caller: Caller, call: string): boolean {
  const fitting = ROUTES.filter((one) => one.call === call || one.pattern.test(call));
  // Where a word stands for an id, the row with the word is meant.
  const [row] = fitting.sort((a, b) => a.call.split(':').length - b.call.split(':').length);
  if (!row) throw new Error(`${call} is not in the table of roles`);
  return row.marks[caller] === 'yes';
}

/** Calls that change nothing although they are no GET. */
const READING = /\/(?:match|match_entries|read_entries|estimate)$/;

/** Records the calls of a page. Those that change something end here, so that any button may be pressed. */
export async function recordTraffic(page: Page): Promise<Traffic> {
  const { pending, endedAt } = watchRequests(page);
  const settled = async () => {
    const askedAt = Date.now();
    const isQuiet = () => pending.size === 0 && Date.now() - Math.max(askedAt, endedAt()) > QUIET_MS;
    await expect.poll(isQuiet, { intervals: [QUIET_MS / 2] }).toBe(true);
    await expect(page.getByLabel('Loading')).toHaveCount(0);
  };
  const traffic: Traffic = { refused: [], changes: [], settled };
  const callOf = (method: string, url: string) => `${method} ${new URL(url).pathname}`;
  page.on('response', (response) => {
    if (response.status() === 403) traffic.refused.push(callOf(response.request().method(), response.url()));
  });
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    const call = callOf(request.method(), request.url());
    const isReading = request.method() === 'GET' || READING.test(call);
    if (isReading || call.includes('/api/auth/')) return route.fallback();
    traffic.changes.push(call);
    const problem = { code: 'request/invalid', status: 400, title: 'Not sent', detail: 'The walk changes nothing.' };
    return route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  return traffic;
}

/** How long nothing may be asked for until a page counts as complete. */
const QUIET_MS = 100;

/** Opens an address as a link of the application would, without loading the application again. */
export async function openInside(page: Page, address: string, traffic: Traffic): Promise<void> {
  await page.evaluate((to) => history.pushState({}, '', to), address);
  await traffic.settled();
  await expect(page.getByRole('heading').first()).toBeVisible();
}

/** Of every table; they change and ask for nothing. */
const OF_TABLES = /^(?:Columns|Copy for a spreadsheet|Export rows shown as CSV|Load more rows|)$/;

/**
 * The names of what can be pressed on the page: links of the navigation, buttons outside of tables, and the entries of
 * menus. Menus of rows are alike but for those of people, so the first stands for them. All of it is done in the page:
 * waiting for each click from outside costs more than the pages do.
 */
export async function offersOf(page: Page): Promise<Offers> {
  const names = await page.evaluate(async () => {
    const nameOf = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
    const until = async (isSo: () => boolean) => {
      for (let tries = 0; tries < 100 && !isSo(); tries++) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const entries = () => [...document.querySelectorAll('[role=menuitem]')];
    const shown = [...document.querySelectorAll<HTMLElement>('main button:enabled:not([data-disabled])')].filter(
      (one) => one.checkVisibility(),
    );
    const row = shown.find((one) => nameOf(one).startsWith('Actions for '));
    const found = [...document.querySelectorAll('nav a')].map((one) => `link ${nameOf(one).replace(/[\d,]+$/, '')}`);
    for (const button of shown.filter((one) => one === row || !one.closest('table, figure, [role=tablist]'))) {
      if (button.getAttribute('aria-haspopup') !== 'menu') {
        found.push(nameOf(button));
        continue;
      }
      button.click();
      await until(() => entries().length > 0);
      const of = button === row ? 'row' : 'menu';
      found.push(...entries().flatMap((one) => (one.hasAttribute('data-disabled') ? [] : [`${of} ${nameOf(one)}`])));
      button.click();
      await until(() => entries().length === 0);
    }
    return found;
  });
  return new Set(names.filter((name) => !OF_TABLES.test(name)));
}

/** Presses a button or an entry of a menu by its name in `offersOf`, waits for what it asks for, and takes it back. */
export async function press(page: Page, name: string, traffic: Traffic): Promise<void> {
  const address = page.url();
  await page.evaluate(async (wanted) => {
    const nameOf = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
    const shown = [...document.querySelectorAll<HTMLElement>('main button:enabled:not([data-disabled])')];
    const direct = shown.find((one) => nameOf(one) === wanted);
    if (direct) return direct.click();
    const menus = shown.filter((one) => one.getAttribute('aria-haspopup') === 'menu');
    for (const menu of wanted.startsWith('row ') ? menus.filter((one) => one.closest('table')) : menus) {
      menu.click();
      for (let tries = 0; tries < 20; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        const entries = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')];
        const entry = entries.find((one) => nameOf(one) === wanted.replace(/^(?:row|menu) /, ''));
        if (entry) return entry.click();
      }
      menu.click();
    }
  }, name);
  await traffic.settled();
  if (page.url() === address && (await page.getByRole('dialog').count()) === 0) return;
  // Leaving the page closes whatever it has opened.
  await openInside(page, '/about', traffic);
  await openInside(page, address, traffic);
}
