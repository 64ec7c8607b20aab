import { expect, test } from '@playwright/test';
import { openDemo } from './support/demo.ts';
import { baseUrl } from './support/journeys.ts';

const SHOTS = process.env.SHOTS;

test('a breeder compares two schemes on the lines of the project', { tag: '@whole' }, async ({ page }) => {
  test.setTimeout(240_000);
  const { project } = await openDemo(page);
  await page.goto(`${baseUrl()}${project}/programmes?modal=create-programme`);
  const dialog = page.getByRole('dialog', { name: 'Simulate a programme' });
  await expect(dialog.getByText('In each cycle, 5 times')).toBeVisible();
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/dialog-1440.png`, fullPage: true });
  await dialog.getByRole('button', { name: 'Add a scheme' }).click();
  await page.getByRole('menuitem', { name: 'Genomic selection, two stages' }).click();
  await expect(dialog.getByText('Train the model')).toHaveCount(2);

  // More than there are is refused as it is typed.
  const selected = dialog.getByLabel('Selected').nth(1);
  await selected.fill('5000');
  await expect(dialog.getByText('There are 300 candidates', { exact: true })).toBeVisible();
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/refused-1440.png` });
  await selected.fill('60');
  await dialog.getByLabel('Replicates', { exact: true }).first().fill('20');
  await dialog.getByText('From a guess').click();
  await dialog.getByRole('button', { name: 'Simulate a programme' }).click();
  await expect(page.getByRole('heading', { name: 'By year' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('Over 20 of 20 replicates.')).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(/less .* in year/)).toBeVisible();

  // The same scheme with other numbers, within the budget of a cycle.
  await page.goto(`${baseUrl()}${project}/programmes?modal=create-programme`);
  await expect(dialog.getByText('In each cycle, 5 times')).toBeVisible();
  await dialog.getByText('From a guess').click();
  await dialog.getByLabel('Search the numbers that gain most').check();
  await expect(dialog.getByText('Type the budget of a cycle.')).toBeVisible();
  await dialog.getByLabel('Budget of a cycle').fill('300');
  await expect(dialog.getByText(/The smallest numbers cost/)).toBeVisible();
  await dialog.getByLabel('Budget of a cycle').fill('40000');
  await dialog.getByLabel('Evaluations').fill('30');
  await dialog.getByLabel('Replicates of each').fill('2');
  if (SHOTS) await dialog.screenshot({ path: `${SHOTS}/search-dialog-1440.png` });
  await dialog.getByRole('button', { name: 'Simulate a programme' }).click();
  await expect(page.getByRole('heading', { name: 'The best numbers' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('heading', { name: 'What the next 1,000 buys' }).first()).toBeVisible();
  if (SHOTS) {
    await page.waitForTimeout(1500);
    for (const width of [1440, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(800);
      await page.screenshot({ path: `${SHOTS}/results-${width}.png`, fullPage: true });
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${baseUrl()}${project}/programmes?modal=create-programme`);
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `${SHOTS}/dialog-dark.png` });
    await page.setViewportSize({ width: 360, height: 800 });
    await page.waitForTimeout(800);
    await page.screenshot({ path: `${SHOTS}/dialog-360.png` });
    await page.locator('section', { hasText: 'In each cycle' }).last().scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${SHOTS}/dialog-360b.png` });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${baseUrl()}${project}/programmes`);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `${SHOTS}/list.png` });
  }
});
