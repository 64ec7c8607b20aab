import { expect, test } from '@playwright/test';
import { expectAccessible, GENOTYPES, pickFile, signInWithProject } from './support/journeys.ts';

/** Two lines, their cross and a line of it; and Mo17, whose stored parents did not make it. */
const GERMPLASM = [
  'name,female,male,generation',
  'CM105,B14A/CMV3,B14A,F8',
  'B14A/CMV3,B14A,CMV3,',
  'VA17,WF9,T8,F8',
  'MO17,VA17,CM105,F8',
].join('\n');

test('a pedigree is explored by keyboard, and its mistakes are found by the markers', { tag: '@whole' }, async ({
  page,
}) => {
  const { url } = await signInWithProject(page, 'pedigree', { [GENOTYPES]: 'GENOTYPE' });

  // Nothing is known yet: the page leads to the list, where parents are uploaded.
  await page.goto(`${url}/pedigrees`);
  await page.getByRole('link', { name: 'Open the germplasm list' }).click();
  await page.getByRole('button', { name: 'Upload germplasm' }).first().click();
  const upload = page.getByRole('dialog').first();
  await upload.locator('input[type=file]').setInputFiles({
    ...{ name: 'pedigree.csv', mimeType: 'text/csv', buffer: Buffer.from(GERMPLASM) },
  });
  await upload.getByRole('checkbox', { name: 'Create unknown parents as founders' }).setChecked(true);
  await upload.getByRole('button', { name: 'Check file' }).click();
  const store = page.getByRole('button', { name: /^Store \d+ lines/ });
  await expect(store).toBeVisible({ timeout: 60_000 });
  const warnings = page.getByRole('checkbox', { name: /^I have read/ });
  if (await warnings.isVisible()) await warnings.check();
  await store.click();
  await expect(page.getByText(/^Stored:/)).toBeVisible();

  await page.getByRole('link', { name: 'Pedigree' }).first().click();
  const search = page.getByRole('combobox', { name: 'Find an individual' });
  await search.fill('CM1');
  await page.getByRole('option', { name: 'CM105' }).click();
  const panel = page.getByRole('region', { name: 'Selected individual' });
  await expect(panel.getByRole('heading', { name: 'CM105' })).toBeVisible();
  await page.getByRole('application', { name: 'Pedigree graph' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(panel.getByRole('heading', { name: 'B14A/CMV3' })).toBeVisible();
  await page.keyboard.press('Shift+ArrowUp');
  await expect(panel.getByRole('heading', { name: 'CMV3', exact: true })).toBeVisible();
  await panel.getByRole('button', { name: 'Only ancestors and descendants' }).click();
  await expect(page.getByText(/^4 rows$/)).toBeVisible();
  await page.getByRole('button', { name: 'Show all individuals' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const exported = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Helium' }).click();
  expect((await exported).suggestedFilename()).toMatch(/\.helium\.txt$/);
  await panel.getByRole('link', { name: 'CMV3' }).click();
  await page.getByRole('link', { name: 'Show in the pedigree' }).click();
  await expect(panel.getByRole('heading', { name: 'CMV3', exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Parentage Checks' }).click();
  await page.getByRole('button', { name: 'Check parentage' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('Name of the check').fill('Plate 1');
  await pickFile(page, 'Genotype file', 'genotypes.vcf.gz');
  await dialog.getByLabel('Genotyping error rate').fill('3');
  await dialog.getByRole('button', { name: 'Check parentage' }).click();
  await expect(page.getByRole('heading', { name: 'Plate 1' })).toBeVisible();
  await expect(page.getByText('One is in conflict with its parents.')).toBeVisible({ timeout: 60_000 });
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Conflict (1)' });
  await expect(page.getByRole('row', { name: /MO17.*Conflict.*VA17.*CM105/ })).toBeVisible();
  await expectAccessible(page);
});
