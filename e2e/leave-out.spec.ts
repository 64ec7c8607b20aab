import { expect, test } from '@playwright/test';
import { expectAccessible, GENOTYPES, PHENOTYPES, signInWithProject } from './support/journeys.ts';

test('lines left out by name and rule are counted beforehand, kept with the run, and asked for again with it', {
  tag: '@whole',
}, async ({ page }) => {
  test.setTimeout(120_000);
  const { url } = await signInWithProject(page, 'leave-out', { [GENOTYPES]: 'GENOTYPE', [PHENOTYPES]: 'PHENOTYPE' });
  await page.goto(`${url}/gwas?modal=create-gwas`);
  const dialog = page.getByRole('dialog').first();
  await expect(dialog.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove all' }).click();
  await dialog.getByRole('button', { name: 'Select dpoll' }).click();
  await dialog.locator('summary', { hasText: 'Leave out' }).click();

  // An unknown name is named before anything is started.
  const names = dialog.getByLabel('Individuals to leave out');
  await names.fill('B73\nNobody');
  await expect(dialog.getByText(/The genotype has no individual "Nobody"/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Run GWAS' })).toBeDisabled();
  await names.fill('B73\nMO17');
  await expect(dialog.getByRole('row', { name: 'After leaving out 279 samples, 3,093 markers' })).toBeVisible();
  await expect(dialog.getByRole('row', { name: 'In both 277' })).toBeVisible();

  // A limit out of range is an error at its field.
  const limit = dialog.getByLabel('Heterozygosity of individuals, at most');
  await limit.fill('5');
  await expect(dialog.getByText('Enter a number from 0 to 1.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Run GWAS' })).toBeDisabled();
  await limit.fill('0.05');
  await expect(dialog.getByText('2 rules')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run GWAS' }).click();

  await expect(page.getByRole('heading', { name: 'Manhattan plot: dpoll' })).toBeVisible({ timeout: 60_000 });
  const facts = page.locator('[data-facts]').first();
  const download = page.waitForEvent('download');
  await facts.getByRole('link', { name: /individuals/ }).click();
  expect((await download).suggestedFilename()).toMatch(/_left_out\.csv$/);
  await expect(page.getByText(/were left out: 2 individuals by list/)).toBeVisible();

  // Markers that are selected become a list, and the list what another run leaves out.
  await page.getByRole('table', { name: 'Markers' }).getByRole('checkbox').nth(1).check();
  await page.getByRole('button', { name: 'Save as list' }).click();
  const keep = page.getByRole('dialog', { name: 'Save as list' });
  await keep.getByLabel('Name of the list').fill('Strongest');
  await keep.getByRole('button', { name: 'Save as list' }).click();
  await expect(page.getByText('“Strongest” now has 1 name.')).toBeVisible();

  // Repeated, it asks for the same again.
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Run again with changes' }).click();
  const again = page.getByRole('dialog').first();
  await expect(again.getByLabel('Individuals to leave out')).toHaveValue('B73\nMO17');
  await expect(again.getByLabel('Heterozygosity of individuals, at most')).toHaveValue('0.05');
  await again.getByLabel('Markers to leave out: use a list').click();
  await page.getByRole('option', { name: 'Strongest (1)' }).click();
  await expect(again.getByLabel('Markers to leave out', { exact: true })).toHaveValue(/^\S+$/);
  await page.goto(`${url}/lists`);
  await page.getByRole('row', { name: /Strongest/ }).click();
  await expect(page.getByRole('heading', { name: 'Strongest' })).toBeVisible();
  await expectAccessible(page);

  // A deleted list comes back by Undo.
  await page.getByRole('button', { name: 'Delete list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click();
  await expect(page.getByText('No lists yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('row', { name: /Strongest/ })).toBeVisible();

  // Markers are found by name, in the GWAS that tested them.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search, go to a page, or start a run' }).fill('PZA03188.4');
  await page.getByRole('option', { name: /PZA03188\.4/ }).click();
  await expect(page.getByRole('heading', { name: 'Marker PZA03188.4' })).toBeVisible();
});
