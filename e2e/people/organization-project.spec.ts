import { expect, test } from '@playwright/test';
import { expectAccessible, giveName, putProjectOff, signInAsNewUser } from '../support/journeys.ts';

test('an empty account becomes an organization with a crop and a project', async ({ page }) => {
  await signInAsNewUser(page, `organization-${Date.now()}@example.org`);
  await giveName(page);
  await page.getByLabel('Organization name').fill('Acme Breeding');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await putProjectOff(page);
  await expect(page.getByRole('heading', { name: 'Acme Breeding' })).toBeVisible();
  await expect(page.getByText('1 of 10 seats used')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Crops' }).click();
  for (const crop of ['Maize', 'maize']) {
    await page.getByRole('button', { name: 'Add crop' }).first().click();
    await page.getByRole('dialog').getByLabel('Crop name').fill(crop);
    await page.getByRole('dialog').getByRole('button', { name: 'Add crop' }).click();
    if (crop === 'Maize') await expect(page.getByRole('dialog')).toBeHidden();
  }
  // The second name is taken: the dialog stays open with the reason.
  await expect(page.getByRole('dialog').getByText('This name is taken')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('cell', { name: 'Maize', exact: true })).toBeVisible();

  await page.goto(new URL('/projects', page.url()).href);
  await page.getByRole('button', { name: 'Create project' }).first().click();
  await page.getByRole('dialog').getByLabel('Project name').fill('Maize panel');
  await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('heading', { name: 'Maize panel' })).toBeVisible();
  await expectAccessible(page);

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Maize panel' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Bring your data' })).toBeVisible();
});

test('an organization without crops gets its first one with its first project, once', { tag: '@whole' }, async ({
  page,
}) => {
  await signInAsNewUser(page, `first-crop-${Date.now()}@example.org`);
  await giveName(page);
  await page.getByLabel('Organization name').fill('Acme Breeding');
  await page.getByRole('button', { name: 'Create organization' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Crop').fill('Maize');
  await dialog.getByLabel('Project name').fill('Maize panel');
  await dialog.getByRole('button', { name: 'Create project' }).dblclick();
  await expect(page.getByRole('heading', { name: 'Maize panel' })).toBeVisible();
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  const projects = page.getByRole('list', { name: 'Projects' });
  await expect(projects.getByRole('link', { name: 'Maize panel' })).toHaveCount(1);
  await page.getByText('Table', { exact: true }).click();
  await expect(page.getByRole('row', { name: /Maize panel/ })).toHaveCount(1);
});
