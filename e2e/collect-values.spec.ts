import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workbookOf } from '@heterosis/test-support/workbook';
import { chromium, expect, type Page, test } from '@playwright/test';
import config from './playwright.config.ts';
import { fieldBook } from './support/brapi.ts';
import { connectionTo } from './support/connection.ts';
import { countClicks } from './support/count-clicks.ts';
import { openDemo } from './support/demo.ts';
import { droppedFile } from './support/dropped-file.ts';
import { baseUrl, expectAccessible, signInByRequests } from './support/journeys.ts';

const LINES = ['A619', 'A632', 'B14A', 'B37', 'B73', 'B84'];

/** Two pixels as a PNG, written by Chromium. */
const PIXELS =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEElEQVR4AWJiYGD4D8QMAAAAAP//P20xhwAAAAZJREFUAwAFFgECbgIU8wAAAABJRU5ErkJggg==';

/** Pastes into the field that has the focus, as a spreadsheet does. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);

/** Says which values a trait of the project takes. */
async function limit(page: Page, project: string, name: string, scale: object): Promise<void> {
  const { access_token } = await page.evaluate(() => JSON.parse(localStorage.getItem('heterosis.session') ?? '{}'));
  const answer = await page.request.put(`${baseUrl()}/api${project}/traits`, {
    data: { traits: [{ name, scale, direction: 'higher', unit: null, weight: 1 }] },
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

test('a season without a file; values typed and pasted in a grid and by phone, and shown on the map', {
  tag: '@whole',
}, async ({ page }) => {
  const { project } = await openDemo(page);
  const clicks = await countClicks(page);
  await page.goto(`${baseUrl()}${project}`);

  // Planned in clicks that are counted, and by Tab from field to field.
  const name = `Stand counts ${Date.now()}`;
  await page.getByRole('link', { name: 'Trials', exact: true }).click();
  await page.getByRole('link', { name: 'New trial' }).click();
  await page.getByLabel('Names', { exact: true }).click();
  await page.keyboard.insertText(LINES.join('\n'));
  await page.getByRole('radio', { name: /^Complete blocks/ }).click();
  await page.getByLabel('Name', { exact: true }).click();
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Kiel');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Traits that are measured' })).toBeFocused();
  await page.keyboard.type('Emergence');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-design-state="whole"]')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Save trial' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  const trial = page.url();

  // Field Book finds the trial, its plots and what is measured, and sends what was seen.
  const studies = await fieldBook<{ studyDbId: string; studyName: string }>(page, '/studies?pageSize=1000');
  const study = studies.find(({ studyName }) => studyName === name)?.studyDbId ?? '';
  const units = await fieldBook<{ observationUnitDbId: string }>(page, `/observationunits?studyDbId=${study}`);
  const [variable] = await fieldBook<{ observationVariableDbId: string }>(page, `/variables?studyDbId=${study}`);
  await fieldBook(
    page,
    '/observations',
    units.map(({ observationUnitDbId }, plot) => ({
      ...{ observationUnitDbId, studyDbId: study, ...variable, value: String(60 + ((plot * 7) % 11)) },
      ...{ collector: 'Hanh', observationTimeStamp: '2026-05-01T10:00:00Z' },
    })),
  );
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Analyse trials' });
  const start = dialog.getByRole('button', { name: 'Analyse trials' });
  await expect(start).toBeEnabled({ timeout: 30_000 });
  await start.click();
  await expect(page).toHaveURL(/trialAnalyses\//);
  console.log(`from the plan of a trial by Field Book to its analysis: ${clicks()} clicks, no file`);
  expect(clicks()).toBeLessThanOrEqual(8);

  await page.goto(trial);
  await page.getByRole('tab', { name: 'Values' }).click();
  const traits = page.getByRole('combobox', { name: 'Traits that are measured' });
  for (const trait of ['Stand', 'Vigour']) {
    await traits.fill(trait);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('columnheader', { name: trait })).toBeVisible();
  }
  await page.keyboard.press('Escape');
  const cell = (trait: string, plot: number) => page.getByLabel(`${trait}, plot ${plot}`, { exact: true });
  const saved = page.getByText('All values are saved.');

  // Typed from plot to plot; the first value sows the trial.
  await cell('Stand', 1).fill('31,5');
  for (const text of ['32', '33']) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await expect(cell('Stand', 4)).toBeFocused();
  await expect(page.getByText('Sown', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('This page opens without a connection too.')).toBeVisible();
  await expect(saved).toBeVisible();
  await paste(page, '34\t5\r\n35\t6\r\n');
  await expect(cell('Vigour', 5)).toHaveValue('6');
  await expect(saved).toBeVisible();

  // Beyond the limits of its trait a value is named and not stored, typed or pasted.
  await limit(page, project, 'Vigour', { kind: 'integer', min: 1, max: 9 });
  await page.reload();
  await cell('Vigour', 4).fill('12');
  const complaint = page.getByRole('alert');
  await expect(complaint).toHaveText('Vigour, plot 4 is above the upper limit 9.');
  await page.keyboard.press('Escape');
  await expect(cell('Vigour', 4)).toHaveValue('5');
  await cell('Stand', 4).focus();
  await paste(page, '34\t12\r\n35\t6\r\n');
  await expect(complaint).toContainText('Vigour, plot 4: “12” is above the upper limit 9.');
  await expect(cell('Vigour', 4)).toHaveValue('5');
  await expect(saved).toBeVisible();
  await expectAccessible(page);

  await cell('Stand', 6).fill('36');
  await page.keyboard.press('Enter');
  await expect(saved).toBeVisible();

  // On a phone one plot after the other.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await expect(page.getByText('Plot 1', { exact: true })).toBeVisible();
  await page.getByLabel('Vigour', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Next plot' }).click();
  await expect(page.getByText('Plot 2', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Stand', { exact: true })).toHaveValue('32');
  const photo = { name: 'plot-2.png', mimeType: 'image/png', buffer: Buffer.from(PIXELS, 'base64') };
  await page.locator('[data-photos="2"] input[type="file"]').setInputFiles([photo]);
  await expect(
    page.getByRole('list', { name: 'Photos of plot 2' }).getByRole('img', { name: 'plot-2.png' }),
  ).toBeVisible();
  await expect(saved).toBeVisible();
  await expectAccessible(page);

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(cell('Stand', 1)).toHaveValue('31.5');
  await expect(cell('Stand', 6)).toHaveValue('36');
  const collected = page.getByRole('row').filter({ hasText: '50 %' });
  await expect(collected).toContainText('Stand');

  // A file that is dropped on the page: what it would change is decided before anything is stored.
  const rows = ['plot,Stand,Vigour score', '1,31.5,7', '2,40,6', '7,37,5', '99,30,5'].join('\n');
  const dropped = await droppedFile(page, 'nursery.csv', rows);
  await page.locator('[data-trial-values]').dispatchEvent('drop', { dataTransfer: dropped });
  const review = page.getByRole('dialog', { name: 'Values from a file' });
  await expect(review.getByText('has no plot "99"')).toBeVisible();
  const store = review.getByRole('button', { name: /^Store/ });
  await expect(store).toBeDisabled();
  await review.getByLabel('Trait of the column Vigour score').selectOption('Vigour');
  await review.getByRole('checkbox', { name: 'Leave it out and store the others' }).check();
  await review.getByRole('radio', { name: 'The values of the file count' }).check();
  await expectAccessible(page);
  await store.click();
  await expect(review).toBeHidden();
  await expect(cell('Stand', 2)).toHaveValue('40');
  await expect(cell('Vigour', 7)).toHaveValue('5');

  // A workbook that is chosen; beyond the limits of a trait it says so. The same workbook again has nothing new.
  await page.getByRole('button', { name: 'Values from a file' }).click();
  const choose = (rows: string[][]) =>
    review
      .locator('input[type="file"]')
      .setInputFiles({ name: 'nursery.xlsx', mimeType: '', buffer: workbookOf(rows) });
  const row = ['8', '38.5', '4'];
  await choose([['plot', 'Stand', 'Vigour'], row, ['9', '39', 'tall']]);
  await expect(review.getByText('"Vigour" on plot 9: tall is not a number.')).toBeVisible();
  await expect(store).toBeDisabled();
  await choose([['plot', 'Stand', 'Vigour'], row]);
  await store.click();
  await expect(review).toBeHidden();
  await expect(cell('Stand', 8)).toHaveValue('38.5');
  await page.getByRole('button', { name: 'Values from a file' }).click();
  await choose([['plot', 'Stand', 'Vigour'], row]);
  await expect(review.getByText('Nothing in it is new', { exact: false })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Map' }).click();
  await page.getByLabel('Colour by').selectOption({ label: 'Stand' });
  await expect(page.locator('[data-field-map="Stand"]')).toBeVisible();
});

/** What the browser keeps of somebody who has signed in. */
async function anotherSession(desk: Page): Promise<string> {
  const page = await desk.context().newPage();
  await signInByRequests(page, `second-${Date.now()}@example.org`);
  const session = await page.evaluate(() => localStorage.getItem('heterosis.session') ?? '');
  await page.close();
  return session;
}

test('on a phone the page of a trial opens without a connection, also after a restart, and what waits is sent in nobody else’s name', {
  tag: '@whole',
}, async ({ page: desk }) => {
  const { project, trial } = await openDemo(desk);
  const session = await desk.evaluate(() => localStorage.getItem('heterosis.session') ?? '');
  const connection = await connectionTo(baseUrl());
  const profile = await mkdtemp(join(tmpdir(), 'heterosis-phone-'));
  const address = `${connection.url}${project}/trials/${trial}?tab=values`;
  const phone = () =>
    chromium.launchPersistentContext(profile, {
      ...config.use?.launchOptions,
      viewport: { width: 360, height: 740 },
    });
  const isKept = (page: Page) => page.getByText('This page opens without a connection too.');
  let browser = await phone();
  try {
    let page = await browser.newPage();
    await page.goto(`${connection.url}/healthz`);
    await page.evaluate((text) => localStorage.setItem('heterosis.session', text), session);
    await page.goto(address);
    await expect(isKept(page)).toBeVisible({ timeout: 30_000 });

    // The battery is empty, the connection is gone, and the token of the morning has expired.
    await browser.close();
    connection.cut();
    browser = await phone();
    page = await browser.newPage();
    await page.goto(address);
    await page.evaluate(() => {
      const stored = JSON.parse(localStorage.getItem('heterosis.session') ?? '{}');
      localStorage.setItem('heterosis.session', JSON.stringify({ ...stored, expiresAt: 0 }));
    });
    await page.reload();
    const value = page.locator('[data-plot] input').first();
    await expect(value).toBeVisible({ timeout: 30_000 });
    const before = await value.inputValue();
    const typed = before === '91.5' ? '92.5' : '91.5';
    await value.fill(typed);
    await value.press('Enter');
    await expect(page.getByText('No connection. 1 value is kept on this device')).toBeVisible({ timeout: 30_000 });
    const photo = { name: 'lodged.png', mimeType: 'image/png', buffer: Buffer.from(PIXELS, 'base64') };
    await page.locator('[data-photos] input[type="file"]').first().setInputFiles([photo]);
    await expect(page.getByText('1 photo is kept on this device')).toBeVisible({ timeout: 30_000 });
    const plot = await page.locator('[data-plot]').first().getAttribute('data-plot');
    await page.reload();
    await expect(page.getByText('No connection. 1 value is kept on this device')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('1 photo is kept on this device')).toBeVisible();

    // Another person signs in beside this page and the connection is back: nothing is lost, and nothing sent as theirs.
    const beside = await browser.newPage();
    await beside.goto(address);
    const kept = await beside.evaluate(() => localStorage.getItem('heterosis.session') ?? '');
    await beside.evaluate((text) => localStorage.setItem('heterosis.session', text), await anotherSession(desk));
    connection.mend();
    await expect(page.getByText('1 value is kept')).toHaveCount(0, { timeout: 30_000 });
    await beside.reload();
    await expect(beside.getByText('Not found').first()).toBeVisible({ timeout: 30_000 });
    const waiting = () =>
      beside.evaluate(() => Object.keys(localStorage).filter((key) => /\.typed\./.test(key)).length);
    expect(await waiting()).toBe(1);
    await beside.evaluate((text) => localStorage.setItem('heterosis.session', text), kept);
    await page.goto(address);

    // What was typed is stored once the server is there, and signing out leaves nothing behind.
    await expect(page.getByText('All values are saved.')).toBeVisible({ timeout: 60_000 });
    expect(await waiting()).toBe(0);
    await beside.close();
    await expect.poll(async () => await page.locator('[data-waiting-photos]').count()).toBe(0);
    const taken = await desk.request.get(`${baseUrl()}/api${project}/trials/${trial}/photos?plot=${plot}`, {
      headers: { authorization: `Bearer ${JSON.parse(session).access_token}` },
    });
    expect(await taken.json()).toMatchObject({ data: [{ name: 'lodged.png', created_by: 'Demo breeder' }] });
    await page.getByRole('button', { name: /Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const left = () =>
      page.evaluate(async () => [
        (await caches.keys()).length,
        (await navigator.serviceWorker.getRegistrations()).length,
      ]);
    await expect.poll(left, { timeout: 20_000 }).toEqual([0, 0]);
  } finally {
    await browser.close();
    connection.close();
    await rm(profile, { recursive: true, force: true });
  }
});
