import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import pg from 'pg';
import { OUTBOX_KEY } from './start-product.ts';

/** Whether this is `npm run test:all`, in which nothing is left out. */
export const isWhole: boolean = process.env.TEST_ALL === '1';

export const baseUrl = (): string => process.env.HETEROSIS_URL ?? 'http://127.0.0.1:3000';

/** The maize diversity panel; its source is documented in the folder of the demo. */
const DATA = join(import.meta.dirname, '../../apps/server/src/features/operation/demo/data');
export const GENOTYPES: string = join(DATA, 'genotypes.vcf.gz');
export const PHASED: string = join(DATA, 'genotypes_phased.vcf.gz');
export const PHENOTYPES: string = join(DATA, 'phenotypes.csv');
export const CROSSES: string = join(DATA, 'crosses.csv');

const POLL_TRIES = 240;
const POLL_WAIT_MS = 250;

/** Calls `look` until it returns something. */
async function poll<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < POLL_TRIES; attempt++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(POLL_WAIT_MS);
  }
  throw new Error(`Waited in vain for ${what}`);
}

/** The latest sign-in link mailed to an address, other than `not`. */
export function mailedLink(request: APIRequestContext, email: string, not?: string): Promise<string> {
  return poll(`a sign-in link for ${email}`, async () => {
    const response = await request.get(`${baseUrl()}/api/dev/outbox?key=${OUTBOX_KEY}`);
    const { data } = (await response.json()) as { data: { to: string; link: string | null }[] };
    const link = data.find((mail) => mail.to === email && mail.link !== null)?.link;
    return link && link !== not ? link : undefined;
  });
}

/** The text of the latest mail to an address whose subject begins so. */
export function mailedText(request: APIRequestContext, email: string, subject: string): Promise<string> {
  return poll(`a mail to ${email}: ${subject}`, async () => {
    const response = await request.get(`${baseUrl()}/api/dev/outbox?key=${OUTBOX_KEY}`);
    const { data } = (await response.json()) as { data: { to: string; subject: string; text: string }[] };
    return data.find((mail) => mail.to === email && mail.subject.startsWith(subject))?.text;
  });
}

/** Changes rows in the database of the product; says how many. */
export async function query(text: string, values: readonly string[]): Promise<number> {
  const dataDir = process.env.HETEROSIS_DATA_DIR ?? '';
  const password = readFileSync(join(dataDir, 'secrets/postgres-password'), 'utf8').trim();
  const port = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
  const client = new pg.Client({ connectionString: `postgres://heterosis:${password}@127.0.0.1:${port}/heterosis` });
  await client.connect();
  const { rowCount } = await client.query(text, [...values]);
  await client.end();
  return rowCount ?? 0;
}

/** `npm run admin -- …` beside the running product. */
export async function admin(...command: string[]): Promise<string> {
  const program = join(import.meta.dirname, '../../apps/server/src/entrypoints/admin.ts');
  const environment = { ...process.env, DATA_DIR: process.env.HETEROSIS_DATA_DIR };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...command], { env: environment });
  return stdout;
}

/** Expires every link mailed to an address. */
export async function expireLinks(email: string): Promise<void> {
  const expired = await query(
    `update sign_in_codes set expires_at = now() - interval '1 second'
     where user_id = (select id from users where email = $1)`,
    [email],
  );
  expect(expired).toBeGreaterThan(0);
}

/** Registers an account and returns its mailed link. Links are few for each address, and all journeys have one. */
async function linkOf(page: Page, email: string): Promise<string> {
  const headers = { 'x-forwarded-for': `10.${[1, 2, 3].map(() => Math.floor(256 * Math.random())).join('.')}` };
  const asked = await page.request.post(`${baseUrl()}/api/signup`, { data: { email }, headers });
  if (!asked.ok()) throw new Error(`POST /signup: ${asked.status()} ${await asked.text()}`);
  return await mailedLink(page.request, email);
}

/** Registers an account, signs in through its mailed link and returns the browser's access token. */
export async function signInAsNewUser(page: Page, email: string): Promise<string> {
  const link = await linkOf(page, email);
  const exchange = page.waitForResponse((response) => response.url().endsWith('/api/auth/token'));
  await page.goto(link);
  const { access_token } = (await (await exchange).json()) as { access_token: string };
  return access_token;
}

/** Completes the first step of the set-up page. */
export async function giveName(page: Page, firstName: string = 'Ann'): Promise<void> {
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill('Breeder');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('tab', { name: 'New organization' })).toBeVisible();
}

/** Puts away the dialog for the first project, which a new organization opens. */
export async function putProjectOff(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Create a project' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

export interface Workspace {
  projectId: string;
  /** Address of the project's overview. */
  url: string;
  /** Ids of the files, in the given order. */
  fileIds: string[];
  call: Awaited<ReturnType<typeof signInByRequests>>;
}

/**
 * Signs somebody in, with an account that is made when there is none, and returns how to call the API as that person.
 * It is done by requests, because loading the application costs more than most journeys; `sign-in.spec.ts` signs in on
 * its pages.
 */
export async function signInByRequests(page: Page, email: string, firstName: string = 'Ann') {
  const code = new URL(await linkOf(page, email)).searchParams.get('code');
  const tokensFor = async (data: object) => {
    const answer = await page.request.post(`${baseUrl()}/api/auth/token`, { data });
    return (await answer.json()) as Tokens;
  };
  const first = await tokensFor({ grant_type: 'email_link', code });
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, data?: object) => {
    const response = await page.request.fetch(`${baseUrl()}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${first.access_token}` },
      ...(data ? { data } : {}),
    });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return response.status() === 204 ? undefined : response.json();
  };
  await call('PUT', '/users/me', { first_name: firstName, last_name: 'Breeder' });
  await keepSession(page, await tokensFor({ grant_type: 'refresh_token', refresh_token: first.refresh_token }));
  return call;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

/** Leaves the browser signed in, as the application does. */
export async function keepSession(page: Page, tokens: Tokens): Promise<void> {
  // Any page of this origin will do.
  await page.goto(`${baseUrl()}/healthz`);
  await page.evaluate((session) => localStorage.setItem('heterosis.session', JSON.stringify(session)), {
    ...tokens,
    expiresAt: Date.now() + tokens.expires_in * 1000,
  });
}

/** Starting point of a journey: a signed-in person with an organization, a crop and a project with the files. */
export async function signInWithProject(page: Page, who: string, files: Record<string, string>): Promise<Workspace> {
  const call = await signInByRequests(page, `${who}-${Date.now()}@example.org`);
  const organization = await call('POST', '/organizations', { name: 'Acme Breeding' });
  const crop = await call('POST', `/organizations/${organization.id}/crops`, { name: 'Maize' });
  const place = { name: 'Maize panel', organization_id: organization.id, crop_id: crop.id };
  const project = await call('POST', '/projects', place);
  const fileIds: string[] = [];
  for (const [path, type] of Object.entries(files))
    fileIds.push(await putFile(page, call, project.id, { name: basename(path), type, body: readFileSync(path) }));
  const url = `${baseUrl()}/projects/${project.id}`;
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Maize panel' })).toBeVisible();
  return { projectId: project.id, url, fileIds, call };
}

/** Uploads a file by requests and waits for the end of its check. */
export async function putFile(
  page: Page,
  call: Awaited<ReturnType<typeof signInByRequests>>,
  projectId: string,
  { name, type, body }: { name: string; type: string; body: Buffer },
): Promise<string> {
  const contentType = 'application/octet-stream';
  const upload = { file_type: type, content_type: contentType, size_bytes: body.length };
  const { put_url, file_id } = await call('POST', `/projects/${projectId}/files/upload_link`, upload);
  await page.request.put(new URL(put_url, baseUrl()).href, { data: body, headers: { 'content-type': contentType } });
  const { id } = await call('POST', `/projects/${projectId}/files`, { name, file_id, file_type: type });
  return poll(`the check of ${name}`, async () => {
    const { status } = await call('GET', `/projects/${projectId}/files/${id}`);
    return /^(?:READY|INVALID)/.test(String(status)) ? (id as string) : undefined;
  });
}

/** Uploads one file through the dialog of the files page. */
export async function uploadFile(page: Page, path: string, type: string): Promise<void> {
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(path);
  await dialog.getByLabel(/^Type of/).selectOption({ label: type });
  await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
  await expect(dialog).toBeHidden();
}

/** From the next page on toasts stay until they are closed, so that nobody has to be quick to reach Undo. */
export async function keepToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const SHOWN_MS = 10_000;
    const { setTimeout } = window;
    Object.assign(window, {
      setTimeout: (run: TimerHandler, wait?: number) => (wait === SHOWN_MS ? 0 : setTimeout(run, wait)),
    });
  });
}

/** How long a page is told of a change before it has the answer to the request that made it. */
const TOLD_BEFORE_MS = 1_000;

/**
 * Ends by `press` the thing that the page shows (deletes it, merges it), with the answer on its way for so long that
 * the page is told of the change before, and expects that nothing is asked of the thing any more, as it is not found.
 */
export async function expectQuietEnd(page: Page, press: () => Promise<void>): Promise<void> {
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const asked: string[] = [];
  let isEnding = false;
  const ends = (url: URL): boolean => url.pathname.startsWith('/api/') && url.pathname.includes(id);
  await page.route(ends, async (route) => {
    const request = route.request();
    if (request.method() === 'GET') {
      if (isEnding) asked.push(request.url());
      return route.continue();
    }
    isEnding = true;
    const answer = await route.fetch();
    await sleep(TOLD_BEFORE_MS);
    await route.fulfill({ response: answer });
  });
  await press();
  await expect(page).not.toHaveURL(new RegExp(`${id}(\\?|$)`));
  expect(isEnding).toBe(true);
  expect(asked).toEqual([]);
  await page.unroute(ends);
}

/** Chooses a file or model of the project in a field of a dialog, by typing a part of its name. */
export async function pickFile(page: Page, field: string, name: string): Promise<void> {
  const input = page.getByRole('dialog').first().getByLabel(field, { exact: true });
  await input.click();
  await input.fill(name);
  await page.getByRole('option', { name: new RegExp(name) }).click();
}

/**
 * Expects no violation of the accessibility rules on the current page, in the dialog on it or in what the frame of all
 * pages surrounds, or of the contrast of what is shown only since all rules were judged.
 */
export async function expectAccessible(
  page: Page,
  rules: 'all' | 'contrast of what is new' = 'all',
  part: 'page' | 'dialog' | 'content' = isWhole ? 'page' : 'content',
): Promise<void> {
  // Wait for the first paint, which follows the sign-in check. By element, because a dialog hides it from roles.
  await expect(page.locator('main')).toBeVisible();
  // A dialog that opens with the page gets its name a moment after it appears.
  await expect(page.locator('[role=dialog]:not([aria-labelledby], [aria-label])')).toHaveCount(0);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ([rowsAlike, all, within, without]) => {
      const { axe: checker, judged } = globalThis as unknown as { axe: typeof axe; judged?: WeakSet<Element> };
      const hasText = (element: Element): boolean =>
        element.matches('input, select, textarea') ||
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
      const shown = [...document.querySelectorAll('body *')].filter(
        (element) => hasText(element) && element.checkVisibility() && !element.closest(rowsAlike),
      );
      if (all) Object.assign(globalThis, { judged: new WeakSet(shown) });
      const added = all ? [] : shown.filter((element) => !judged?.has(element));
      if (!all && added.length === 0) return [];
      const found = await checker.run(
        all ? { include: [[within]], exclude: without.map((one) => [one]) } : { include: added },
        // Style sheets, which no rule that is on reads, and media, of which there are none, need not be loaded for it.
        { resultTypes: ['violations'], preload: false, ...(all ? {} : { runOnly: ['color-contrast'] }) },
      );
      return found.violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.target.join(' ')) }));
    },
    [
      ROWS_ALIKE,
      rules === 'all',
      part === 'dialog' ? '[role=dialog]' : 'html',
      part === 'content' ? [ROWS_ALIKE, ...FRAME] : [ROWS_ALIKE],
    ] as const,
  );
  expect(violations).toEqual([]);
}

/** The first rows of a table stand for the rest: judging the contrast of thousands of cells takes minutes. */
const ROWS_ALIKE = 'tbody tr:nth-child(n+8)';

/** The header and the navigation, which pages share; they are judged when the walk over every page loads one. */
const FRAME = ['header:not(main *)', 'aside:has(> div > nav)'];

/** Expects a settled page to fit the window, to be accessible and to have logged no error. */
export async function expectSound(page: Page, faults: readonly string[], name: string): Promise<void> {
  await expectFitting(page, name);
  await expectAccessible(page);
  expect(faults, `${name} wrote to the console`).toEqual([]);
}

/** Some pages compute in the browser, which takes long on a busy machine. */
const COMPUTED = { timeout: 60_000 };

/** Expects a settled page to be no wider than the window. */
export async function expectFitting(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible();
  // Wait until skeletons and progress have disappeared and charts are drawn.
  await expect(page.getByLabel('Loading')).toHaveCount(0, COMPUTED);
  await expectToFit(page, name);
}

/** Expects that nothing has to be scrolled sideways, but what scrolls by itself. */
async function expectToFit(page: Page, name: string): Promise<void> {
  // Charts follow the window a frame later.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
      message: `${name} is wider than the window`,
      timeout: 5_000,
    })
    .toBeLessThanOrEqual(0);
}

/** For `addInitScript`: records what moves while a page loads. */
export function watchLayout(): void {
  const shifts: [value: number, what: string][] = [];
  Object.assign(globalThis, { layoutShifts: shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    })[])
      if (!entry.hadRecentInput)
        shifts.push([entry.value, entry.sources.map(({ node }) => (node as Element | null)?.className).join(', ')]);
  }).observe({ type: 'layout-shift', buffered: true });
}

/** What has moved up to now is not judged, because something else comes. */
export async function forgetShifts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Shifts of the last frame are told after it.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    (globalThis as unknown as { layoutShifts: unknown[] }).layoutShifts.length = 0;
  });
}

/** How long a page may neither ask for anything nor change until it counts as at rest. */
const QUIET_MS = 100;

/** The requests of a page that have not ended, but that for events, and when the last one ended. */
export function watchRequests(page: Page): { pending: ReadonlySet<object>; endedAt: () => number } {
  const pending = new Set<object>();
  let endedAt = 0;
  page.on('request', (request) => {
    if (!request.url().includes('/api/events')) pending.add(request);
  });
  const end = (request: object) => {
    endedAt = Date.now();
    pending.delete(request);
  };
  page.on('requestfailed', end);
  page.on('requestfinished', end);
  return { pending, endedAt: () => endedAt };
}

/** Answers what waits until a page that opens after this call has come to rest: all is loaded, shown and in place. */
export async function watchRest(page: Page): Promise<() => Promise<void>> {
  const { pending, endedAt } = watchRequests(page);
  await page.addInitScript(() => {
    const changes = { at: performance.now() };
    Object.assign(globalThis, { changes });
    const observer = new MutationObserver(() => {
      changes.at = performance.now();
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const isStill = (quiet: number): Promise<boolean> =>
    page.evaluate(async (ms) => {
      // What has been received is shown before it is asked whether anything has changed.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const { at } = (globalThis as unknown as { changes: { at: number } }).changes;
      return performance.now() - at > ms && document.querySelector('[aria-label=Loading]') === null;
    }, quiet);
  return async () => {
    const askedAt = Date.now();
    const isQuiet = async () =>
      pending.size === 0 && Date.now() - Math.max(askedAt, endedAt()) > QUIET_MS && (await isStill(QUIET_MS));
    await expect.poll(isQuiet, { ...COMPUTED, intervals: [QUIET_MS / 2] }).toBe(true);
  };
}

const MOST_SHIFT = 0.02;

/** Expects that a page with `watchLayout` has come to rest without moving what was there already. */
export async function expectStill(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expect(page.getByLabel('Loading')).toHaveCount(0, COMPUTED);
  const shifts = await page.evaluate(
    () => (globalThis as unknown as { layoutShifts: [number, string][] }).layoutShifts,
  );
  const total = shifts.reduce((sum, [value]) => sum + value, 0);
  expect(total, `${name} moved while it loaded: ${JSON.stringify(shifts)}`).toBeLessThan(MOST_SHIFT);
}
