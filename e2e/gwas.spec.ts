import { expect, test } from '@playwright/test';
import { expectAccessible, GENOTYPES, PHENOTYPES, signInWithProject } from './support/journeys.ts';

test('a GWAS shows its Manhattan plot and names the strongest marker, and is run again with another test', {
  tag: '@whole',
}, async ({ page }) => {
  test.setTimeout(180_000);
  await signInWithProject(page, 'gwas', { [GENOTYPES]: 'GENOTYPE', [PHENOTYPES]: 'PHENOTYPE' });
  await page.getByRole('link', { name: 'GWAS', exact: true }).first().click();
  await page.getByRole('button', { name: 'Run GWAS' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('GWAS name').fill('Flowering');
  await dialog.getByRole('button', { name: 'Remove all' }).click();
  await dialog.getByRole('button', { name: 'Select dpoll' }).click();
  await expect(dialog.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Run GWAS' }).click();
  await expect(page.getByRole('heading', { name: 'Manhattan plot: dpoll' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('PZA03591.1').first()).toBeVisible();
  await expectAccessible(page);

  // A click on a point opens its marker, whose address can be shared.
  const plot = page.getByRole('img', { name: /^Manhattan plot of dpoll/ });
  const rows = page.getByRole('table', { name: 'Markers' }).getByRole('row');
  await rows.filter({ hasText: 'PZA03591.1' }).first().click();
  await expect(page.getByRole('heading', { name: 'Marker PZA03591.1' })).toBeVisible();
  await expect(page).toHaveURL(/marker=PZA03591\.1/);
  await expect(page.getByRole('columnheader', { name: 'Closest by LD' })).toBeVisible();
  await expect(page.getByText('Effect allele', { exact: true })).toBeVisible();
  await expectAccessible(page);

  // After zooming in, the table shows the same part of the genome, and Back leads to the whole one.
  const zoomOut = page.getByRole('button', { name: 'Zoom out' });
  await page.getByRole('button', { name: 'Zoom to marker' }).click();
  await expect(zoomOut).toBeEnabled();
  await expect(page).toHaveURL(/zoom=/);
  const zoomed = await rows.count();
  await page.goBack();
  await expect(page).not.toHaveURL(/zoom=/);
  await expect.poll(() => rows.count()).toBeGreaterThan(zoomed);
  // A zoom over several chromosomes counts for the table, too.
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(page).toHaveURL(/zoom=\d+%3A\d+(?:&|$)/);
  await expect(page.getByText(/rows so far|rows found/)).toBeVisible();
  await page.getByRole('button', { name: 'Whole genome' }).click();
  await page.goBack();
  await page.goBack();
  await page.getByRole('button', { name: 'Show as table' }).first().click();
  await expect(page.getByRole('region', { name: /Manhattan/ }).getByRole('cell', { name: 'PZA03591.1' })).toBeVisible();
  await page.getByRole('button', { name: 'Show as chart' }).click();
  await expect(page.getByRole('heading', { name: 'Marker PZA03591.1' })).toBeVisible();

  // Dragging sideways zooms; the wheel scrolls the page.
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (!box) throw new Error('The plot has no place on the page');
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await expect(zoomOut).toBeDisabled();
  await plot.scrollIntoViewIfNeeded();
  const place = await plot.boundingBox();
  if (!place) throw new Error('The plot has no place on the page');
  await page.mouse.move(place.x + place.width * 0.5, place.y + place.height / 2);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width * 0.52, place.y + place.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(zoomOut).toBeEnabled();

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Manhattan plot: dpoll' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Marker PZA03591.1' })).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  const bundle = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download bundle' }).click();
  expect((await bundle).suggestedFilename()).toBe('Flowering.zip');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy as script' }).click();
  const scripts = page.getByRole('dialog', { name: 'Repeat this run from a script' });
  await expect(scripts.getByLabel('Script', { exact: true })).toContainText('hx_start(');
  await scripts.getByRole('tab', { name: 'Python' }).click();
  const client = page.waitForEvent('download');
  await scripts.getByRole('button', { name: 'Download heterosis.py' }).click();
  expect((await client).suggestedFilename()).toBe('heterosis.py');
  await scripts.getByRole('tab', { name: 'Shell' }).click();
  await expect(scripts.getByLabel('Script', { exact: true })).toContainText('"name": "Flowering (again)"');
  await page.keyboard.press('Escape');
  await expect(scripts).toBeHidden();

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

test('permutations and a multi-locus model give a threshold and the markers that explain a trait together', {
  tag: '@whole',
}, async ({ page }) => {
  test.setTimeout(180_000);
  await signInWithProject(page, 'gwas-hits', { [GENOTYPES]: 'GENOTYPE', [PHENOTYPES]: 'PHENOTYPE' });
  await page.getByRole('link', { name: 'GWAS', exact: true }).first().click();
  await page.getByRole('button', { name: 'Run GWAS' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('GWAS name').fill('Height');
  await dialog.getByRole('button', { name: 'Remove all' }).click();
  await dialog.getByRole('button', { name: 'Select EarHT' }).click();
  const steps = dialog.getByLabel('Steps of a multi-locus model');
  await dialog.getByLabel('Leave one chromosome out').check();
  await expect(steps).toBeDisabled();
  await dialog.getByLabel('Leave one chromosome out').uncheck();
  await dialog.getByLabel('Permutations').fill('7');
  await steps.fill('3');
  await expect(dialog.getByText('Enter a whole number from 19 to 10,000.')).toBeVisible();
  await dialog.getByLabel('Permutations').fill('99');
  await dialog.getByRole('button', { name: 'Run GWAS' }).click();
  const together = page.getByRole('region', { name: 'Markers together' });
  await expect(together).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText('Permutations 5 %', { exact: true }).first()).toBeVisible();
  await together.getByText('All 6 models').click();
  await expect(together.getByRole('row').filter({ hasText: '(chosen)' })).toHaveCount(1);
  await together.getByRole('button', { name: 'PZA03188.4' }).click();
  await expect(page.getByRole('heading', { name: 'Marker PZA03188.4' })).toBeVisible();
  await expectAccessible(page);
});

test('hits in LD are put together, and a GWAS is run again given the strongest, with pruned markers', {
  tag: '@whole',
}, async ({ page }) => {
  test.setTimeout(120_000);
  await signInWithProject(page, 'gwas-given', { [GENOTYPES]: 'GENOTYPE', [PHENOTYPES]: 'PHENOTYPE' });
  await page.getByRole('link', { name: 'GWAS', exact: true }).first().click();
  await page.getByRole('button', { name: 'Run GWAS' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('GWAS name').fill('Height');
  await dialog.getByRole('button', { name: 'Remove all' }).click();
  await dialog.getByRole('button', { name: 'Select EarHT' }).click();
  await dialog.getByText('Thresholds of clumps').click();
  await dialog.getByLabel('p of the first marker, at most').fill('0.5');
  await expect(dialog.getByText('Enter a number from 0 to 0.05.')).toBeVisible();
  await dialog.getByLabel('p of the first marker, at most').fill('0.01');
  await dialog.getByLabel('p of the others, at most').fill('0.05');
  await dialog.getByRole('button', { name: 'Run GWAS' }).click();

  const clumps = page.getByRole('region', { name: 'Clumps' });
  await expect(clumps).toBeVisible({ timeout: 90_000 });
  await expectAccessible(page);
  const rows = page.getByRole('table', { name: 'Markers' }).getByRole('row');
  await clumps
    .getByRole('button', { name: /^Show the .*other marker/ })
    .first()
    .click();
  const choice = page.getByLabel('Clump', { exact: true });
  await expect(choice).toBeVisible();
  await expect.poll(() => rows.count()).toBeLessThan(20);
  await choice.selectOption('In any clump or none');
  await expect.poll(() => rows.count()).toBeGreaterThan(20);

  // The strongest marker becomes a fixed effect; others are found by their names among the results.
  await clumps.getByRole('button', { name: 'PZA03188.4', exact: true }).click();
  await page.getByRole('button', { name: 'Test again given this marker' }).click();
  const again = page.getByRole('dialog').first();
  await expect(again.getByLabel('GWAS name')).toHaveValue('Height given PZA03188.4');
  const given = again.getByLabel('Test given these markers');
  await given.fill('PZA03591');
  await page.getByRole('option', { name: /^PZA03591\.1/ }).click();
  await given.fill('Nowhere');
  await given.press('Enter');
  await again.locator('summary').filter({ hasText: 'Leave out' }).click();
  await again.getByLabel('Prune markers by LD: largest r²').fill('0.9');
  await again.getByRole('button', { name: 'Run GWAS' }).click();
  await expect(again.getByText('There is no marker "Nowhere"')).toBeVisible();
  await given.press('Backspace');
  await again.getByRole('button', { name: 'Run GWAS' }).click();
  await expect(page.getByRole('heading', { name: 'Height given PZA03188.4' })).toBeVisible();
  await expect(page.getByText('PZA03188.4, PZA03591.1', { exact: true }).first()).toBeVisible();
  await expect(clumps).toBeVisible({ timeout: 90_000 });
  await expect(page).not.toHaveURL(/given=/);
  await expect(page.getByText(/were fitted as fixed effects/)).toBeVisible();
  await expect(page.getByText(/pruned by linkage disequilibrium \(r² > 0\.9\)/)).toBeVisible();
  await expectAccessible(page);
});
