import { expect, test } from '@playwright/test';
import { expectAccessible, GENOTYPES, PHENOTYPES, pickFile, signInWithProject } from './support/journeys.ts';

test('a model of three traits is trained, evaluated and used for a prediction', { tag: '@whole' }, async ({ page }) => {
  await signInWithProject(page, 'train', { [GENOTYPES]: 'GENOTYPE', [PHENOTYPES]: 'PHENOTYPE' });
  await page.getByRole('link', { name: 'Models' }).first().click();
  await page.getByRole('button', { name: 'Train model' }).first().click();
  const training = page.getByRole('dialog').first();
  // Of a fresh upload all is chosen already: three clicks train a model.
  await expect(training.getByLabel('Model name')).toHaveValue('EarHT, dpoll, EarDia · phenotypes');
  await expect(training.getByLabel('Genotype file', { exact: true })).toHaveValue('genotypes.vcf.gz');
  await expect(training.getByRole('button', { name: 'Train model' })).toBeEnabled();
  await expect(training.getByRole('region', { name: 'Estimated cost' })).toContainText(/About .+ of memory/);
  await training.getByLabel('Model name').fill('Three traits');
  // Nothing typed is lost: closing asks, and a reload finds the draft.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Close this dialog?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Close this dialog?' })).toBeHidden();
  await page.reload();
  await expect(training.getByLabel('Model name')).toHaveValue('Three traits');
  // Escape in the file picker closes the picker alone.
  await training.getByRole('button', { name: 'Browse folders: Genotype file' }).click();
  await expect(page.getByRole('dialog', { name: 'Project Files' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Project Files' })).toBeHidden();
  await pickFile(page, 'Genotype file', 'genotypes.vcf.gz');
  await training.getByRole('button', { name: 'Train model' }).click();
  await expect(page.getByRole('heading', { name: 'Three traits' })).toBeVisible();
  // The reference's predictive ability with other folds is 0.71 for days to pollen (mean over folds, pooled).
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
  await expect(page.getByRole('heading', { name: 'Ranking' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('2,386 (100 %)')).toBeVisible();
  await expectAccessible(page);

  // The best lead on to a crossing table and its simulation; these lines are not phased, which is said at once.
  await page.getByRole('button', { name: 'Cross the best…' }).click();
  const crossing = page.getByRole('dialog', { name: 'Cross the best' });
  await expect(crossing.getByText('28 crosses are saved')).toBeVisible();
  await crossing.getByRole('button', { name: 'Save and simulate' }).click();
  const simulating = page.getByRole('dialog', { name: /^Simulate crosses/ });
  await expect(simulating.getByLabel('Crossing table', { exact: true })).toHaveValue('Whole panel best.csv', {
    timeout: 60_000,
  });
  await expect(simulating.getByRole('row', { name: 'In both 8' })).toBeVisible();
  await expect(simulating.getByText('The genotype is first phased into a new file')).toBeVisible();
  await expectAccessible(page);
  await simulating.getByRole('button', { name: 'Phase, then simulate' }).click();
  await expect(page.getByRole('list', { name: 'Stages' }).getByText('phase', { exact: true })).toBeVisible();
});
