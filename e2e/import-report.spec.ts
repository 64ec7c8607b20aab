import { writeFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectFitting, signInWithProject, uploadFile } from './support/journeys.ts';

const LINES = 60;
/** Heights with a unit in every other cell, a line of averages, and a line that stands twice. */
const TRIAL = [
  'line,Yield,Height',
  ...Array.from({ length: LINES }, (_, i) => `L${i},${50 + (i % 9)},${150 + i}${i % 2 === 0 ? ' cm' : ''}`),
  'Mittelwert,=AVERAGE(B2:B61),=AVERAGE(C2:C61)',
  'L0,51,151',
].join('\n');

const report = (page: Page) => page.getByRole('region', { name: 'Import report' });

test('equal problems are one row, and the rows and cells that stand in the way are left out by choice', async ({
  page,
}, info) => {
  const trial = info.outputPath('trial.csv');
  await writeFile(trial, TRIAL);
  const { call, projectId, url, fileIds } = await signInWithProject(page, 'report', { [trial]: 'PHENOTYPE' });
  const [id] = fileIds;
  await page.goto(`${url}/files/${id}`);

  const heights = page.getByRole('row', { name: /154 cm.*E-PH-NOT-NUMBER/ });
  await expect(heights).toHaveCount(1);
  await expect(heights).toContainText('30');
  await expect(page.getByText('33 errors')).toBeVisible();
  await heights.click();
  await page.getByRole('button', { name: /^Line 6 / }).click();
  await expect(page.getByLabel('Line 6 of the file')).toContainText('L4,54,154 cm');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFitting(page, 'the import report');
  await page.setViewportSize({ width: 1440, height: 900 });

  // Another type can be chosen where the problems are told.
  await expect(page.getByRole('combobox', { name: 'Type of this file' })).toHaveValue('PHENOTYPE');
  await expect(page.getByRole('button', { name: 'Check as this type' })).toBeDisabled();
  const again = page.getByRole('button', { name: 'Apply and check again' });
  await expect(again).toBeDisabled();
  await page.getByRole('checkbox', { name: /^Leave out these 30 cells of Height \(C\)/ }).check();
  await page.getByRole('checkbox', { name: /^Leave out the row instead: line 62/ }).check();
  await page.getByRole('checkbox', { name: /^Leave out this row: line 63/ }).check();
  await again.click();
  await expect(page.getByText('30 cells are left out.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('2 rows are left out.')).toBeVisible();
  await expect(page.getByRole('row', { name: /I-LEFT-OUT/ })).toContainText('2 rows (62, 63)');
  await expect(page.getByRole('row', { name: /E-PH-NOT-NUMBER|E-PH-DUP/ })).toHaveCount(0);
  const read = await call('GET', `/projects/${projectId}/files/${id}`);
  expect(read).toMatchObject({ row_count: LINES, left_out: { lines: [62, 63] } });

  await page.getByRole('button', { name: 'Read them again' }).click();
  await expect(page.getByRole('row', { name: /E-PH-DUP/ })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('33 errors')).toBeVisible();
});

test(
  'the list of uploads never lies over the report of a file that is opened from it',
  { tag: '@whole' },
  async ({ page }, info) => {
    await signInWithProject(page, 'tray', {});
    await page.getByRole('link', { name: 'Project Files' }).first().click();
    const paths = ['one.csv', 'two.csv'].map((name) => info.outputPath(name));
    // A guessed type says what it was guessed from.
    await writeFile(paths[0] ?? '', TRIAL);
    await page.getByRole('button', { name: 'Upload files' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Upload files' });
    await dialog.locator('input[type=file]').setInputFiles(paths[0] ?? '');
    await expect(dialog.getByLabel(/^Type of/)).toHaveValue('PHENOTYPE');
    await expect(dialog.getByText(/^(?:By its columns? |A table in which nothing tells)/)).toBeVisible();
    await page.goto(page.url().replace(/\?.*/, ''));
    for (const path of paths) {
      await writeFile(path, TRIAL);
      await uploadFile(page, path, 'Phenotype');
    }
    const tray = page.getByRole('region', { name: 'Uploads' });
    await tray
      .getByRole('listitem')
      .filter({ hasText: 'one.csv' })
      .getByRole('link', { name: 'Open' })
      .click({ timeout: 60_000 });
    await expect(report(page)).toBeVisible({ timeout: 60_000 });
    for (const width of [1440, 1024, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await report(page).getByRole('row').last().scrollIntoViewIfNeeded();
      const [box, over] = [await report(page).boundingBox(), await tray.boundingBox()];
      if (box === null || over === null) throw new Error('both are on the page');
      const isBeside = over.x + over.width <= box.x || over.y >= box.y + box.height;
      expect(isBeside, `at ${width} px`).toBe(true);
    }
  },
);
