import { writeFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { GENOTYPES, PHENOTYPES, signInAsNewUser } from './journeys.ts';

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.target.join(' ')) }))).toEqual([]);
}

async function uploadFile(page: Page, path: string, type: string): Promise<void> {
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(path);
  await dialog.getByLabel(/^Type of/).selectOption({ label: type });
  await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
  await expect(dialog).toBeHidden();
}

async function pickFile(page: Page, field: string, name: string): Promise<void> {
  const dialog = page.getByRole('dialog').first();
  await dialog.getByText(field, { exact: true }).locator('..').getByRole('button').click();
  const picker = page.getByRole('dialog', { name: 'Project files' });
  await picker.getByRole('button', { name: new RegExp(name) }).click();
  await picker.getByRole('button', { name: 'Select' }).click();
  await expect(picker).toBeHidden();
}

test('from an empty account to a trained model, its predictions and a GWAS', async ({ page }, info) => {
  await signInAsNewUser(page, `journey-${Date.now()}@example.org`);
  await page.getByLabel('First name').fill('Ann');
  await page.getByLabel('Last name').fill('Breeder');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByLabel('Name of the organization').fill('Acme Breeding');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByRole('heading', { name: 'Acme Breeding' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Crops' }).click();
  await page.getByRole('button', { name: 'Add crop' }).first().click();
  await page.getByRole('dialog').getByLabel('Name of the crop').fill('Maize');
  await page.getByRole('dialog').getByRole('button', { name: 'Add crop' }).click();
  await expect(page.getByRole('cell', { name: 'Maize', exact: true })).toBeVisible();

  await page.goto(new URL('/projects', page.url()).href);
  await page.getByRole('button', { name: 'Create project' }).first().click();
  await page.getByRole('dialog').getByLabel('Name of the project').fill('Maize panel');
  await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('heading', { name: 'Maize panel' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Project Files' }).first().click();
  await uploadFile(page, GENOTYPES, 'Genotype');
  await uploadFile(page, PHENOTYPES, 'Phenotype');
  await expect(page.getByRole('row', { name: /genotypes\.vcf\.gz/ })).toContainText('ready', { timeout: 60_000 });
  await expect(page.getByRole('row', { name: /phenotypes\.csv/ })).toContainText('ready', { timeout: 60_000 });

  const bad = info.outputPath('bad_phenotypes.csv');
  await writeFile(
    bad,
    'sample,EarHT\nB73,59.5\nB73,61\nMo17,tall\nA6,12\nA7,13\nA8,14\nA9,15\nA10,16\nA11,17\nA12,18\n',
  );
  await uploadFile(page, bad, 'Phenotype');
  await expect(page.getByRole('row', { name: /bad_phenotypes\.csv/ })).toContainText('invalid', { timeout: 60_000 });
  await page.getByRole('link', { name: /bad_phenotypes\.csv/ }).click();
  await expect(page.getByRole('heading', { name: 'Import report' })).toBeVisible();
  await expect(page.getByText('E-PH-DUP')).toBeVisible();
  await expect(page.getByText('E-PH-NOT-NUMBER')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Project Files' }).first().click();
  await page.getByRole('link', { name: /genotypes\.vcf\.gz/ }).click();
  await expect(page.getByText('Minor allele frequency')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Models' }).first().click();
  await page.getByRole('button', { name: 'Train model' }).first().click();
  const training = page.getByRole('dialog').first();
  await expect(training.getByRole('button', { name: 'Train model' })).toBeDisabled();
  await training.getByLabel('Model name').fill('Three traits');
  await pickFile(page, 'Genotype file', 'genotypes.vcf.gz');
  await pickFile(page, 'Phenotype file', '^phenotypes.csv');
  for (const trait of ['EarHT', 'dpoll', 'EarDia'])
    await training.getByRole('button', { name: `Select ${trait}` }).click();
  await training.getByRole('button', { name: 'Train model' }).click();
  await expect(page.getByRole('heading', { name: 'Three traits' })).toBeVisible();
  // Predictive ability of the reference for other folds: 0.71 for days to pollen (mean over folds, pooled).
  await expect(page.getByRole('row', { name: /dpoll/ })).toContainText(/0\.(69|70|71|72)\d/, { timeout: 60_000 });
  await expect(page.getByRole('heading', { name: /Observed against predicted/ })).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Marker effects' }).click();
  await expect(page.getByRole('heading', { name: /Marker effects along the genome/ })).toBeVisible();
  await page.getByRole('tab', { name: 'GEBV ranking' }).click();
  await expect(page.getByRole('columnheader', { name: 'GEBV' })).toBeVisible();

  await page.getByRole('button', { name: 'Predict' }).first().click();
  const predicting = page.getByRole('dialog').first();
  await predicting.getByLabel('Prediction name').fill('Whole panel');
  await predicting.getByRole('button', { name: 'Predict' }).click();
  await expect(page.getByRole('heading', { name: 'Whole panel' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Predicted values' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('2,386 (100 %)')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'GWAS' }).first().click();
  await page.getByRole('button', { name: 'Run GWAS' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('GWAS name').fill('Flowering');
  await pickFile(page, 'Genotype file', 'genotypes.vcf.gz');
  await pickFile(page, 'Phenotype file', '^phenotypes.csv');
  await dialog.getByRole('button', { name: 'Select dpoll' }).click();
  await expect(dialog.getByText('In both')).toBeVisible();
  await expect(dialog.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Run GWAS' }).click();
  await expect(page.getByRole('heading', { name: 'Manhattan plot: dpoll' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('PZA03591.1').first()).toBeVisible();
  await expectAccessible(page);
});
