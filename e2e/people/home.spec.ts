import { expect, test } from '@playwright/test';
import { baseUrl, CROSSES, expectAccessible, signInWithProject } from '../support/journeys.ts';

test('what was opened and starred is found where one comes in', async ({ page }) => {
  const { url, projectId, fileIds, call } = await signInWithProject(page, 'home', { [CROSSES]: 'CROSSING_TABLE' });
  const list = { name: 'Testers', kind: 'germplasm', members: ['B73', 'Mo17'] };
  const { id } = await call('POST', `/projects/${projectId}/lists`, list);
  await page.goto(`${url}/files/${fileIds[0]}`);
  const star = page.getByRole('button', { name: /favourites$/ });
  await expect(star).toHaveAttribute('aria-pressed', 'false');
  // Until it is known whether it has one.
  await expect(star).toBeEnabled();
  await star.focus();
  await page.keyboard.press('Enter');
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await page.goto(`${url}/lists?list=${id}`);
  await page.getByRole('button', { name: 'Add Testers to favourites' }).click();
  await page.goto(`${baseUrl()}/projects`);
  const favourites = page.getByRole('region', { name: 'Favourites' });
  await expect(favourites.getByRole('link')).toHaveText(['Testers', 'crosses.csv']);
  await expect(page.getByRole('region', { name: 'Recent' }).getByRole('link').first()).toHaveText('Testers');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add Maize panel to favourites' }).click();
  await expect(favourites.getByRole('link').first()).toHaveText('Maize panel');
  await favourites.getByRole('link', { name: 'crosses.csv' }).click();
  await page.getByRole('button', { name: 'Remove crosses.csv from favourites' }).click();
  await page.goto(`${baseUrl()}/projects`);
  await expect(favourites.getByRole('link')).toHaveText(['Maize panel', 'Testers']);
  await page.getByText('Table', { exact: true }).click();
  await page.reload();
  await expect(page.getByRole('row', { name: /Maize panel/ })).toBeVisible();
});
