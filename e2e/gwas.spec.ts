import { expect, test } from '@playwright/test';
import { expectAccessible, GENOTYPES, PHENOTYPES, pickFile, signInWithProject } from './journeys.ts';

test('a GWAS shows its Manhattan plot and names the strongest marker, and is run again with another test', async ({
  page,
}) => {
  await signInWithProject(page, 'gwas', { [GENOTYPES]: 'GENOTYPE', [PHENOTYPES]: 'PHENOTYPE' });
  await page.getByRole('link', { name: 'GWAS', exact: true }).first().click();
  await page.getByRole('button', { name: 'Run GWAS' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('GWAS name').fill('Flowering');
  await pickFile(page, 'Genotype file', 'genotypes.vcf.gz');
  await pickFile(page, 'Phenotype file', '^phenotypes.csv');
  await dialog.getByRole('button', { name: 'Select dpoll' }).click();
  await expect(dialog.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Run GWAS' }).click();
  await expect(page.getByRole('heading', { name: 'Manhattan plot: dpoll' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('PZA03591.1').first()).toBeVisible();
  await expectAccessible(page);

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Manhattan plot: dpoll' })).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  const bundle = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download bundle' }).click();
  expect((await bundle).suggestedFilename()).toBe('Flowering.zip');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Run again with changes' }).click();
  const again = page.getByRole('dialog').first();
  await expect(again.getByLabel('GWAS name')).toHaveValue('Flowering (again)');
  await expect(again.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await again.getByText('WALD', { exact: true }).click();
  await again.getByRole('button', { name: 'Run GWAS' }).click();
  await expect(page.getByRole('heading', { name: 'Flowering (again)' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Manhattan plot: dpoll' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('WALD', { exact: true }).first()).toBeVisible();
});
