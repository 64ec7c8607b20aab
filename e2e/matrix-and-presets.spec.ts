import { expect, test } from '@playwright/test';
import { openDemo } from './support/demo.ts';
import { baseUrl, expectAccessible } from './support/journeys.ts';

test('models by trait: comparable ones together, sorted by a trait, and a cell leads to it', { tag: '@whole' }, async ({
  page,
}) => {
  const { project } = await openDemo(page);
  await page.goto(`${baseUrl() + project}/models`);
  await page.getByText('Matrix', { exact: true }).click();
  await expect(page).toHaveURL(/view=matrix/);
  const group = page.getByRole('rowheader', { name: /^Comparable: .+ × .+ · 5 folds × 10, seed 1/ });
  await expect(group.first()).toBeVisible();
  const heads = page.getByRole('columnheader');
  await expect(heads.first()).toHaveText(/Name/);
  const trait = (await heads.nth(1).getByRole('button').innerText()).split('\n')[0]?.trim() ?? '';
  await heads.nth(1).getByRole('button').click();
  await expect(heads.nth(1)).toHaveAttribute('aria-sort', 'descending');
  await expectAccessible(page);

  await page.setViewportSize({ width: 360, height: 740 });
  const frame = page.getByRole('group', { name: 'Models by trait' });
  expect(await frame.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const cell = page.getByRole('link', { name: new RegExp(`, ${trait}: r -?\\d`) }).first();
  await cell.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL((url) => url.searchParams.get('trait') === trait);
});

test('a preset sets its options, and says when one of them differs', { tag: '@whole' }, async ({ page }) => {
  const {
    project,
    runs: { gwas },
  } = await openDemo(page);
  await page.goto(`${baseUrl() + project}/models?modal=create-model`);
  const training = page.getByRole('dialog', { name: 'Train model' });
  const preset = training.getByRole('radiogroup', { name: 'Preset' });
  await expect(preset.getByRole('radio', { name: 'Default' })).toBeChecked();
  await preset.getByText('Publication').click();
  await expect(training.getByText(/^50 repetitions in place of 10/)).toBeVisible();
  await training.locator('summary', { hasText: 'Advanced' }).click();
  await expect(training.getByLabel('Repetitions')).toHaveValue('50');
  await expect(training.getByLabel('Time limit of the fit')).toHaveValue('');
  await training.getByLabel('Repetitions').fill('20');
  await expect(training.getByText('Changed from “Publication”: Repetitions.')).toBeVisible();
  await expect(preset.getByRole('radio', { checked: true })).toHaveCount(0);
  await expectAccessible(page);

  await page.goto(`${baseUrl() + project}/gwas?modal=create-gwas&modal_id=${gwas}`);
  const scan = page.getByRole('dialog', { name: 'Run GWAS' });
  await expect(scan.getByRole('radio', { name: 'As it was' })).toBeChecked();
  await scan.getByText('Publication', { exact: true }).click();
  await expect(scan.getByLabel('Permutations')).toHaveValue('1000');
  await expect(scan.getByLabel('Leave one chromosome out (LOCO)')).toBeChecked();
  await scan.getByText('As it was', { exact: true }).click();
  await expect(scan.getByLabel('Permutations')).toHaveValue('');
});
