import { expect, test } from '@playwright/test';
import { CROSSES, expectAccessible, PHASED, PHENOTYPES, signInWithProject } from './support/journeys.ts';

test('planned crosses are simulated with a model, looked at one by one, and the best kept as a crossing table', {
  tag: '@whole',
}, async ({ page }) => {
  const { projectId, fileIds, call } = await signInWithProject(page, 'cross', {
    [PHASED]: 'GENOTYPE',
    [PHENOTYPES]: 'PHENOTYPE',
    [CROSSES]: 'CROSSING_TABLE',
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

  await page.getByRole('link', { name: 'Crossing Simulation' }).first().click();
  await page.getByRole('button', { name: 'Simulate crosses' }).first().click();
  const dialog = page.getByRole('dialog').first();
  // The one model and the one crossing table are chosen already; the name is proposed.
  await expect(dialog.getByLabel('Model', { exact: true })).toHaveValue('Height and flowering');
  await expect(dialog.getByLabel('Crossing table', { exact: true })).toHaveValue('crosses.csv');
  await expect(dialog.getByLabel('Simulation name')).toHaveValue('crosses · Height and flowering');
  await dialog.getByLabel('Simulation name').fill('Half diallel');
  await expect(dialog.getByRole('row', { name: 'In both 8' })).toBeVisible();
  // A number out of range is refused where it stands, not changed.
  const progeny = dialog.getByLabel('Progeny per cross');
  for (const wrong of ['', '200000', '1.5']) {
    await progeny.fill(wrong);
    await expect(dialog.getByText('Enter a whole number from 1 to 100,000.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Simulate crosses' })).toBeDisabled();
  }
  await progeny.fill('1000');
  await dialog.getByRole('button', { name: 'Simulate crosses' }).click();

  await expect(page.getByRole('heading', { name: 'Half diallel' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mean against spread: EarHT' })).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  // Another trait, another cross, and two traits together.
  await page.getByText('dpoll', { exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Mean against spread: dpoll' })).toBeVisible();
  await page
    .getByRole('row', { name: /KI11×TX303/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Progeny of KI11×TX303: dpoll' })).toBeVisible();
  await expect(page.getByText('By dpoll, of the cross KI11×TX303.')).toBeVisible();
  await page.getByLabel('Second trait').selectOption('EarHT');
  await expect(page.getByRole('heading', { name: 'dpoll and EarHT within crosses' })).toBeVisible();

  const crosses = page
    .getByRole('region', { name: 'Crosses' })
    .or(page.locator('section', { hasText: 'Exact figures' }));
  for (const name of ['B73×MO17', 'B73×OH43'])
    await crosses
      .getByRole('row', { name: new RegExp(name) })
      .first()
      .getByRole('checkbox')
      .check();
  await page.getByRole('button', { name: 'Save as crossing table' }).click();
  await expect(page.getByText('The crossing table “Half diallel chosen.csv” is being uploaded')).toBeVisible();
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  const saved = page.getByRole('row', { name: /Half diallel chosen\.csv/ });
  await expect(saved).toContainText('ready', { timeout: 30_000 });
});
