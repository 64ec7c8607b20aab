import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import {
  CROSSES,
  expectAccessible,
  GENOTYPES,
  PHASED,
  PHENOTYPES,
  pickFile,
  signInWithProject,
} from './support/journeys.ts';

/** A doubled haploid of B73 × MO17 has no genotype. */
const PEDIGREE = 'name,female,male,cross_type\nB73,,,DH\nMO17,,,DH\nA632,,,DH\nF1,B73,MO17,\nH1,F1,,DH\n';

test('crosses are planned, changed as the cap moves, kept as a crossing table and simulated', async ({
  page,
}, info) => {
  const pedigreePath = info.outputPath('pedigree.csv');
  writeFileSync(pedigreePath, PEDIGREE);
  const { url, projectId, fileIds, call } = await signInWithProject(page, 'plan', {
    [GENOTYPES]: 'GENOTYPE',
    [PHASED]: 'GENOTYPE',
    [PHENOTYPES]: 'PHENOTYPE',
    [pedigreePath]: 'PEDIGREE',
    [CROSSES]: 'CROSSING_TABLE',
  });
  const [genotype, , phenotype, pedigree] = fileIds;
  const model = await call('POST', `/projects/${projectId}/models`, {
    name: 'Height and flowering',
    genotype_id: genotype,
    phenotype_id: phenotype,
    pedigree_id: pedigree,
    traits: ['EarHT', 'dpoll'],
    n_repetition: 1,
  });
  await expect
    .poll(async () => JSON.stringify((await call('GET', `/projects/${projectId}/models/${model.id}`)).status), {
      timeout: 60_000,
    })
    .not.toContain('TRAINING');

  const set = { unit: null, direction: 'lower', weight: 1 };
  await call('PUT', `/projects/${projectId}/traits`, { traits: [{ name: 'EarHT', ...set }] });
  await page.goto(url);
  await page.getByRole('link', { name: 'Crossing Plans' }).first().click();
  await page.getByRole('button', { name: 'Plan crosses' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await expect(dialog.getByLabel('Model', { exact: true })).toHaveValue('Height and flowering');
  // The direction that the project wants of a trait, and the phased file in place of the model's own.
  await expect(
    dialog.getByRole('button', { name: 'Remove EarHT' }).or(dialog.getByText('EarHT').first()),
  ).toBeVisible();
  await expect(dialog.getByLabel('Genotype of the candidates', { exact: true })).toHaveValue('genotypes_phased.vcf.gz');
  await dialog.getByLabel('Plan name').fill('Next season');
  // Nothing is changed behind one's back: an empty number or one out of range is an error at its field.
  const number = dialog.getByLabel('Crosses', { exact: true });
  for (const wrong of ['501', '0', '']) {
    await number.fill(wrong);
    await number.blur();
    await expect(number).toHaveValue(wrong);
    await expect(dialog.getByText('Enter a whole number from 1 to 500.')).toBeVisible();
    await expect(number).toHaveAttribute('aria-invalid', 'true');
  }
  await number.fill('8');
  await expect(dialog.getByText('Enter a whole number from 1 to 500.')).toBeHidden();
  await expect(dialog.getByLabel('Parents of lines in the germplasm list')).toBeChecked();
  await dialog.getByRole('button', { name: 'Plan crosses' }).click();

  await expect(page.getByRole('heading', { name: 'Next season' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Gain against coancestry' })).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  const chosen = page.getByRole('region', { name: 'Chosen crosses' });
  const count = page.locator('[data-facts] div').filter({ hasText: /^Crosses\s*\d/ });
  await expect(count).toContainText('8');

  // Fewer crosses, and a lower cap by keyboard: another mean at once.
  const crosses = page.getByLabel('Crosses', { exact: true });
  for (const wrong of ['501', '']) {
    await crosses.fill(wrong);
    await crosses.blur();
    await expect(crosses).toHaveValue(wrong);
    await expect(page.getByText('Enter a whole number from 1 to 500.')).toBeVisible();
  }
  await crosses.fill('6');
  await expect(count).toContainText('6');
  const mean = page.locator('[data-facts] div').filter({ hasText: /^Mean of parents/ });
  const before = await mean.innerText();
  await page.getByRole('slider', { name: 'Cap on group coancestry' }).focus();
  await page.keyboard.press('Home');
  await expect(mean).not.toHaveText(before);

  // A pair that must be made is among the chosen ones; one that is no pair is named.
  await page.getByText('Required and forbidden pairs').click();
  await page.getByLabel('Must be made').fill('B73 × MO17');
  await expect(chosen.getByText('B73 × MO17')).toBeVisible();
  await page.getByLabel('Must not be made').fill('B73');
  await expect(page.getByText('“B73” is not a pair.')).toBeVisible();

  // Where no plan is possible the last one says that it is not of these settings, and cannot be taken along.
  await page.getByLabel('Must be made').fill('B73 × nobody');
  await crosses.fill('60');
  await expect(
    page.getByText(/^No plan is possible: .* What follows is the last plan that was possible\.$/),
  ).toBeVisible();
  await expect(page.getByText(/^Only \d+ of 60 crosses/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save as crossing table' })).toBeDisabled();
  await crosses.fill('6');
  await page.getByLabel('Must be made').fill('B73 × MO17');
  await expect(page.getByText(/^No plan is possible/)).toHaveCount(0);

  const wishlist = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Intercross wishlist' }).click();
  expect((await wishlist).suggestedFilename()).toBe('Next season wishlist.csv');
  await page.getByRole('button', { name: 'Save as crossing table' }).click();
  await expect(page.getByText('The crossing table “Next season crosses.csv” is in Project Files.')).toBeVisible();
  await page.getByRole('button', { name: 'Save as crossing table' }).click();
  await expect(page.getByText('The crossing table “Next season crosses (2).csv” is in Project Files.')).toBeVisible();
  await page.getByRole('link', { name: 'Simulate crosses…' }).click();
  const simulate = page.getByRole('dialog').first();
  await expect(simulate.getByLabel('Crossing table', { exact: true })).toHaveValue('Next season crosses (2).csv');
  await simulate.getByLabel('Simulation name').fill('Of the plan');
  await simulate.getByRole('button', { name: 'Simulate crosses' }).click();
  await expect(page.getByRole('heading', { name: 'Mean against spread: EarHT' })).toBeVisible({ timeout: 60_000 });

  // The crosses kept as a table are known to the next plan, among the lines of a list; one of them has no genotype, so
  // that coancestries follow from the pedigree.
  await call('POST', `/projects/${projectId}/lists`, {
    ...{ kind: 'germplasm', name: 'Elite', members: ['B73', 'MO17', 'A632', 'H1'] },
  });
  await page.getByRole('link', { name: 'Crossing Plans' }).first().click();
  await page.getByRole('button', { name: 'Plan crosses' }).first().click();
  await dialog.getByLabel('Plan name').fill('The season after');
  await number.fill('3');
  await dialog.getByLabel('All crossing tables of the project').check();
  await expect(dialog.getByLabel('One crossing table')).toBeHidden();
  await pickFile(page, 'Pedigree for coancestries', 'pedigree.csv');
  await dialog.getByLabel('Candidates are').selectOption('Individuals of the model');
  await expect(dialog.getByLabel('Genotype of the candidates', { exact: true })).toBeHidden();
  await dialog.getByLabel('Candidates: use a list').fill('Eli');
  await page.getByRole('option', { name: 'Elite (4)' }).click();
  await expect(dialog.getByText('4 individuals of Elite.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Plan crosses' }).click();
  await page.getByRole('button', { name: 'All candidates…' }).click({ timeout: 60_000 });
  await expect(page.getByText('4 of 4 candidates take part.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('None: individuals of the model')).toBeVisible();
  await expect(
    page.getByText('Coancestry from').locator('..').getByRole('link', { name: 'pedigree.csv' }),
  ).toBeVisible();
  const leaveOut = page.getByLabel(/^Leave out the .* already made$/);
  await expect(leaveOut).toBeChecked();
  await expect(chosen.getByText('Made', { exact: true })).toBeHidden();
  await leaveOut.uncheck();
  await page.getByLabel('Crosses', { exact: true }).fill('6');
  // All six pairs of four lines.
  await expect(chosen.getByText('Made', { exact: true }).first()).toBeVisible();
  // Inbred lines, each used as often: (4 + 2(½ + ½)) / 16, because a half of H1 comes from each of two others.
  await expect(page.locator('[data-facts] div').filter({ hasText: /^Group coancestry/ })).toContainText('0.375');
});
