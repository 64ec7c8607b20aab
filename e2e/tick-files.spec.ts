import { expect, test } from '@playwright/test';
import { CROSSES, expectAccessible, keepToasts, PHENOTYPES, signInWithProject } from './support/journeys.ts';

test('ticked files are moved, downloaded, deleted and brought back, and start a run, by keyboard too', {
  tag: '@whole',
}, async ({ page }) => {
  await keepToasts(page);
  const files = { [CROSSES]: 'CROSSING_TABLE', [PHENOTYPES]: 'PHENOTYPE' };
  const { url, projectId, call } = await signInWithProject(page, 'ticks', files);
  await call('POST', `/projects/${projectId}/folders`, { name: 'Season 2026' });
  await page.goto(`${url}/storage`);
  const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  await tick('crosses.csv').focus();
  await page.keyboard.press('Space');
  await tick('phenotypes.csv').focus();
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: '2 selected' });
  await expect(bar.getByRole('button', { name: 'Start a run' })).toBeDisabled();
  await expectAccessible(page);

  const archive = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Download' }).click();
  expect((await archive).suggestedFilename()).toBe('files.zip');

  await bar.getByRole('button', { name: 'Move to folder' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Folder').selectOption('Season 2026');
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expect(dialog).toBeHidden();
  await expect(tick('crosses.csv')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tick('crosses.csv')).toBeVisible();
  await expect(tick('phenotypes.csv')).toBeVisible();

  // A folder that is not empty refuses; the rest is done, and the dialog says both.
  await call('POST', `/projects/${projectId}/folders`, { name: 'Old' });
  const { id } = await call('POST', `/projects/${projectId}/folders`, { name: 'Full' });
  await call('POST', `/projects/${projectId}/folders`, { name: 'Inner', folder_id: id });
  for (const name of ['Full', 'Old', 'crosses.csv']) await tick(name).check();
  await page.getByRole('region', { name: '3 selected' }).getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('2 of 3 done. These stayed as they were:')).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Full' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(tick('crosses.csv')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tick('crosses.csv')).toBeVisible();

  await tick('phenotypes.csv').check();
  await page.getByRole('button', { name: 'Start a run' }).click();
  await page.getByRole('menuitem', { name: 'Analyse trials' }).click();
  await expect(page.getByRole('dialog')).toContainText('phenotypes.csv');
});
