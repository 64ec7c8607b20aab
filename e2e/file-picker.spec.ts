import { expect, test } from '@playwright/test';
import { expectAccessible, PHENOTYPES, signInWithProject, uploadFile } from './support/journeys.ts';

const FOLDERS = ['Season 2026', 'Station', 'Trials', 'Series 3', 'Final'] as const;

test('a file in the fifth folder down is chosen with the keyboard alone', { tag: '@whole' }, async ({ page }) => {
  await signInWithProject(page, 'picker', {});
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  for (const name of FOLDERS) {
    await page.getByRole('button', { name: 'Add folder' }).first().click();
    await page.getByRole('dialog').getByLabel('Folder name').fill(name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  }
  await uploadFile(page, PHENOTYPES, 'Phenotype');
  await expect(page.getByRole('row', { name: /phenotypes\.csv/ })).toContainText('ready', { timeout: 60_000 });

  await page.getByRole('link', { name: 'Models' }).first().click();
  await page.getByRole('button', { name: 'Train model' }).first().click();
  // The one file is chosen already: the picker begins in its folder, and the arrow leads to the root.
  await expect(page.getByRole('dialog').getByLabel('Phenotype file', { exact: true })).toHaveValue('phenotypes.csv');
  const field = page.getByRole('dialog').getByRole('button', { name: 'Browse folders: Phenotype file' });
  await field.focus();
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Project Files' });
  for (const name of FOLDERS.toReversed()) {
    await expect(picker.getByText(name, { exact: true })).toBeVisible();
    await picker.getByRole('button', { name: 'Up one folder' }).press('Enter');
    // The focus goes to the first entry once the folder is read.
    await expect(picker.getByRole('button', { name })).toBeFocused();
  }
  await expect(picker.getByRole('button', { name: FOLDERS[0] })).toBeVisible();
  await expectAccessible(page);
  await picker.getByRole('button', { name: FOLDERS[0] }).focus();
  for (const name of FOLDERS) {
    await expect(picker.getByRole('button', { name })).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(picker.getByRole('button', { name: 'phenotypes.csv' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(picker.getByRole('button', { name: 'Select' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(picker).toBeHidden();
  await expect(page.getByRole('dialog').getByLabel('Phenotype file', { exact: true })).toHaveValue('phenotypes.csv');
  await expect(field).toBeFocused();
});
