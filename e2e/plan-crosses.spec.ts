import { expect, test } from '@playwright/test';
import { expectAccessible, PHASED, PHENOTYPES, signInWithProject } from './journeys.ts';

test('crosses are planned, changed as the cap moves, kept as a crossing table and simulated', async ({ page }) => {
  const { projectId, fileIds, call } = await signInWithProject(page, 'plan', {
    [PHASED]: 'GENOTYPE',
    [PHENOTYPES]: 'PHENOTYPE',
  });
  const [genotype, phenotype] = fileIds;
  const model = await call('POST', `/projects/${projectId}/models`, {
    name: 'Height and flowering',
    genotype_id: genotype,
    phenotype_id: phenotype,
    traits: ['EarHT', 'dpoll'],
    n_repetition: 1,
  });
  await expect
    .poll(async () => JSON.stringify((await call('GET', `/projects/${projectId}/models/${model.id}`)).status), {
      timeout: 60_000,
    })
    .not.toContain('TRAINING');

  await page.getByRole('link', { name: 'Plan crosses' }).first().click();
  await page.getByRole('button', { name: 'Plan crosses' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await expect(dialog.getByLabel('Model', { exact: true })).toHaveValue('Height and flowering');
  await dialog.getByLabel('Plan name').fill('Next season');
  await dialog.getByLabel('Crosses', { exact: true }).fill('8');
  await dialog.getByRole('button', { name: 'Plan crosses' }).click();

  await expect(page.getByRole('heading', { name: 'Next season' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Gain against coancestry' })).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  const chosen = page.getByRole('region', { name: 'Chosen crosses' });
  const count = page.locator('[data-facts] div').filter({ hasText: /^Crosses/ });
  await expect(count).toContainText('8');

  // Fewer crosses, and a lower cap by keyboard: another mean at once.
  await page.getByLabel('Crosses', { exact: true }).fill('6');
  await expect(count).toContainText('6');
  const mean = page.locator('[data-facts] div').filter({ hasText: /^Mean of parents/ });
  const before = await mean.innerText();
  await page.getByRole('slider', { name: 'Cap on group coancestry' }).focus();
  await page.keyboard.press('Home');
  await expect(mean).not.toHaveText(before);

  // A pair that must be made is among the chosen ones; one that is no pair is named.
  await page.getByText('Pairs to make or to avoid').click();
  await page.getByLabel('Must be made').fill('B73 × MO17');
  await expect(chosen.getByText('B73 × MO17')).toBeVisible();
  await page.getByLabel('Must not be made').fill('B73');
  await expect(page.getByText('“B73” is not a pair.')).toBeVisible();

  const wishlist = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Intercross wishlist' }).click();
  expect((await wishlist).suggestedFilename()).toBe('Next season wishlist.csv');
  await page.getByRole('button', { name: 'Save as crossing table' }).click();
  // Uploaded and checked in the background.
  await expect
    .poll(async () => JSON.stringify(await call('GET', `/projects/${projectId}/files`)), { timeout: 30_000 })
    .toMatch(/Next season crosses\.csv[^}]*READY|READY[^}]*Next season crosses\.csv/);
  await page.getByRole('link', { name: 'Simulate crosses…' }).click();
  const simulate = page.getByRole('dialog').first();
  await expect(simulate.getByLabel('Crossing table', { exact: true })).toHaveValue('Next season crosses.csv');
  await simulate.getByLabel('Simulation name').fill('Of the plan');
  await simulate.getByRole('button', { name: 'Simulate crosses' }).click();
  await expect(page.getByRole('heading', { name: 'Mean against spread: EarHT' })).toBeVisible({ timeout: 60_000 });
});
