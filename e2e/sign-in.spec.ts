import { expect, test } from '@playwright/test';
import { baseUrl, mailedLink, signInAsNewUser } from './journeys.ts';

test('an unknown address is offered registration, a mailed link signs in once, and a second use is refused', async ({
  page,
}) => {
  const email = `unknown-${Date.now()}@example.org`;
  await page.goto(baseUrl());
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The email address you entered is not registered');
  await dialog.getByRole('button', { name: 'Request' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const link = await mailedLink(page.request, email);

  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Welcome to Heterosis' })).toBeVisible();

  const other = await page.context().browser()?.newContext();
  if (!other) throw new Error('A second browser context is needed');
  const stranger = await other.newPage();
  await stranger.goto(link);
  await expect(stranger.getByText('has been used already')).toBeVisible();
  await other.close();
});

test('a wrong address is refused before anything is sent', async ({ page }) => {
  await page.goto(baseUrl());
  await page.getByLabel('E-mail address').fill('not an address');
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page.getByText('Invalid email address')).toBeVisible();
});

test('a page that needs sign-in sends to the start page and comes back afterwards', async ({ page }) => {
  await page.goto(`${baseUrl()}/account`);
  await expect(page).toHaveURL(/returnTo=%2Faccount/);
});

test('signing out in one tab signs out the others', async ({ page }) => {
  await signInAsNewUser(page, `tabs-${Date.now()}@example.org`);
  await page.getByLabel('First name').fill('Ann');
  await page.getByLabel('Last name').fill('Breeder');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await expect(page.getByLabel('Name of the organization')).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(`${baseUrl()}/account`);
  await expect(second.getByRole('heading', { name: 'My account' })).toBeVisible();

  // The set-up page of the first tab hides the user's menu (SPEC §2).
  await second.getByRole('button', { name: /Menu of/ }).click();
  await second.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await expect(second.getByLabel('E-mail address')).toBeVisible();
});
