import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { expect as expectSoon, type Page, type TestInfo, test } from '@playwright/test';
import { baseUrl, expectAccessible, signInWithProject } from './support/journeys.ts';

// Tens of megabytes pass through the test harness, which takes long on a busy machine.
test.describe.configure({ timeout: 300_000 });
const expect = expectSoon.configure({ timeout: 60_000 });

const PART_BYTES = 8 * 1024 * 1024;
/** Two whole parts and a short one. */
const SIZE = 2 * PART_BYTES + 12_345;

/** Random bytes without type, stored as they are. */
async function largeFile(info: TestInfo, name = 'raw reads.bin'): Promise<string> {
  const path = info.outputPath(name);
  await writeFile(path, randomBytes(SIZE));
  return path;
}

async function openUpload(page: Page, path: string): Promise<void> {
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(path);
  await dialog.getByLabel(/^Type of/).selectOption({ label: 'Other' });
  await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
  await expect(dialog).toBeHidden();
}

interface Line {
  /** Parts in order of arrival, including repetitions. */
  arrived: number[];
  /** Lets this many more parts through; the rest fail as if the cable was pulled. */
  letThrough: (parts: number) => void;
}

/** A proxy between the browser and the storage. */
async function tapLine(page: Page, parts: number): Promise<Line> {
  const line = { arrived: [] as number[], left: parts };
  await page.route('**/upload-parts/**', async (route) => {
    if (line.left <= 0) return await route.abort('internetdisconnected');
    line.left--;
    await route.continue();
  });
  page.on('response', (response) => {
    const number = /\/upload-parts\/[^/]+\/(\d+)/.exec(response.url())?.[1];
    if (number !== undefined && response.ok()) line.arrived.push(Number(number));
  });
  return {
    arrived: line.arrived,
    letThrough: (more) => {
      line.left = more;
    },
  };
}

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });

async function expectSameBytes(page: Page, path: string): Promise<void> {
  await tray(page).getByRole('link', { name: 'Open' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download original' }).click();
  // Finished uploads have been acknowledged.
  await expect(tray(page)).toBeHidden();
  const saved = await readFile(await (await download).path());
  expect(saved.equals(await readFile(path))).toBe(true);
}

test(
  'an upload whose connection is cut goes on by itself with the parts that are missing',
  { tag: '@whole' },
  async ({ page, context }, info) => {
    const path = await largeFile(info);
    await signInWithProject(page, 'cut', {});
    const line = await tapLine(page, 1);
    await openUpload(page, path);
    await expect.poll(() => line.arrived.length).toBe(1);
    await context.setOffline(true);
    await expect(tray(page)).toContainText('No connection');
    await expect(tray(page)).toContainText('of 16.8 MB');
    await expectAccessible(page);

    line.letThrough(100);
    await context.setOffline(false);
    await expect(tray(page).getByText('stored')).toBeVisible();
    expect([...line.arrived].sort()).toEqual([1, 2, 3]);
    await expectSameBytes(page, path);
  },
);

test('an upload goes on while one moves between pages', { tag: '@whole' }, async ({ page }, info) => {
  await signInWithProject(page, 'moves', {});
  const line = await tapLine(page, 1);
  await openUpload(page, await largeFile(info));
  await expect.poll(() => line.arrived.length).toBe(1);
  await page.getByRole('link', { name: 'Models' }).first().click();
  await expect(page.getByRole('heading', { name: 'Models' })).toBeVisible();
  await expect(tray(page)).toContainText('raw reads.bin');
  await page.getByRole('button', { name: 'Collapse the list of uploads' }).click();
  await expect(page.getByRole('button', { name: 'Cancel the upload of raw reads.bin' })).toBeHidden();
  await page.getByRole('button', { name: 'Expand the list of uploads' }).click();
  line.letThrough(100);
  // It tries again by itself after a pause that grows with each failure.
  await expect(tray(page).getByText('stored')).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Clear the list of uploads' }).click();
  await expect(tray(page)).toBeHidden();
});

test(
  'after a reload the same file, chosen again, goes on from where it was; another file does not',
  { tag: '@whole' },
  async ({ page }, info) => {
    const path = await largeFile(info);
    await signInWithProject(page, 'reload', {});
    const line = await tapLine(page, 2);
    await openUpload(page, path);
    await expect.poll(() => line.arrived.length).toBe(2);
    await expect(tray(page)).toContainText('of 16.8 MB');

    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect(tray(page)).toContainText('Interrupted after ');
    await expectAccessible(page);

    const other = await largeFile(info, 'other.bin');
    const chooser = tray(page).locator('input[type=file]');
    await chooser.setInputFiles(other);
    await expect(tray(page)).toContainText('other.bin is not the same file');

    line.letThrough(100);
    await chooser.setInputFiles(path);
    await expect(tray(page).getByText('stored')).toBeVisible();
    expect([...line.arrived].sort()).toEqual([1, 2, 3]);
    await expectSameBytes(page, path);
  },
);

test(
  'the same file chosen in the dialog goes on as well; a cancelled upload leaves nothing',
  { tag: '@whole' },
  async ({ page }, info) => {
    const path = await largeFile(info);
    const { projectId } = await signInWithProject(page, 'cancel', {});
    const line = await tapLine(page, 1);
    await openUpload(page, path);
    await expect.poll(() => line.arrived.length).toBe(1);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    line.letThrough(1);
    await openUpload(page, path);
    await expect.poll(() => line.arrived.length).toBe(2);
    expect(new Set(line.arrived).size).toBe(2);

    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await tray(page).getByRole('button', { name: 'Cancel the upload of raw reads.bin' }).click();
    expect((await deleted).status()).toBe(204);
    await expect(tray(page)).toBeHidden();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Project Files' })).toBeVisible();
    await expect(tray(page)).toBeHidden();
    await expect(page.getByText('raw reads.bin')).toBeHidden();
    expect(page.url()).toContain(`${baseUrl()}/projects/${projectId}`);
  },
);

test('a name that is in use gets another one, which can be changed', { tag: '@whole' }, async ({ page }, info) => {
  const path = info.outputPath('notes.bin');
  await writeFile(path, 'a note');
  await signInWithProject(page, 'names', {});
  await openUpload(page, path);
  await expect(tray(page).getByText('stored')).toBeVisible();
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Upload files' })).toBeDisabled();
  await dialog.locator('input[type=file]').setInputFiles([path]);
  await expect(dialog.getByLabel(/Upload it as/)).toHaveValue('notes (2).bin');
  await dialog.getByLabel(/Upload it as/).fill('NOTES.bin');
  await expect(dialog.getByText('This name is taken')).toBeVisible();
  await dialog.getByLabel(/Upload it as/).fill('more notes.bin');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
  await expect(page.getByRole('row', { name: /more notes\.bin/ })).toContainText('stored');
});
