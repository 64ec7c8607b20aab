import { expect, test } from '@playwright/test';
import { baseUrl, expectAccessible, PHENOTYPES, signInWithProject } from './support/journeys.ts';

test('a project is taken as a data package and brought into an empty one', async ({ page }, info) => {
  const saved = info.outputPath('package.zip');
  const { url, projectId, call } = await signInWithProject(page, 'packages', { [PHENOTYPES]: 'PHENOTYPE' });
  await page.goto(`${url}?modal=data-package`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Licence').click();
  await page.getByRole('option', { name: 'CC BY 4.0: name the source', exact: true }).click();
  const archive = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const file = await archive;
  expect(file.suggestedFilename()).toMatch(/\(data package\)\.zip$/);
  await file.saveAs(saved);
  await expect(dialog.getByText(/received\.$/)).toBeVisible();
  await expectAccessible(page);

  const { organization, crop } = await call('GET', `/projects/${projectId}`);
  const { id } = await call('POST', '/projects', {
    ...{ name: 'Brought', organization_id: organization.id, crop_id: crop?.id ?? null },
  });
  await page.goto(`${baseUrl()}/projects/${id}?modal=data-package`);
  await dialog.getByRole('tab', { name: 'Import' }).click();
  await dialog.getByLabel('Choose a data package').setInputFiles(saved);
  await expect(dialog.getByText(/^Imported from/)).toBeVisible();
  await expect(dialog.getByText('1 file, 0 trials')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${baseUrl()}/projects/${id}/storage`);
  await expect(page.getByRole('link', { name: 'phenotypes.csv' })).toBeVisible();

  // What is no longer empty takes no further package.
  await page.goto(`${baseUrl()}/projects/${id}?modal=data-package`);
  await dialog.getByRole('tab', { name: 'Import' }).click();
  await dialog.getByLabel('Choose a data package').setInputFiles(saved);
  await expect(dialog.getByText(/imported into an empty project/)).toBeVisible();
});
