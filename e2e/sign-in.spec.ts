import { expect, test } from '@playwright/test';
import {
  baseUrl,
  expectAccessible,
  expireLinks,
  giveName,
  mailedLink,
  signInAsNewUser,
  signInWithProject,
} from './journeys.ts';

test('an unknown address is offered registration, a mailed link signs in once, and a second use is refused', async ({
  page,
}) => {
  const email = `unknown-${Date.now()}@example.org`;
  await page.goto(baseUrl());
  await expectAccessible(page);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The email address you entered is not registered');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Request' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const link = await mailedLink(page.request, email);

  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Welcome to Heterosis' })).toBeVisible();
  await expectAccessible(page);

  const other = await page.context().browser()?.newContext();
  if (!other) throw new Error('A second browser context is needed');
  const stranger = await other.newPage();
  await stranger.goto(link);
  await expect(stranger.getByText('has been used already')).toBeVisible();
  await other.close();
});

test('a known address gets a link and comes back to its projects', async ({ page, browser }) => {
  await signInWithProject(page, 'known', {});
  await page.goto(`${baseUrl()}/account`);
  const email =
    (await page
      .getByText(/^known-.*@example\.org$/)
      .first()
      .textContent()) ?? '';

  const again = await (await browser.newContext()).newPage();
  const first = await mailedLink(again.request, email);
  await again.goto(baseUrl());
  await again.getByLabel('E-mail address').fill(email);
  await again.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(again.getByText('A log-in URL has been sent to your email')).toBeVisible();
  await again.goto(await mailedLink(again.request, email, first));
  await expect(again.getByRole('link', { name: 'Maize panel' })).toBeVisible();
  await again.context().close();
});

test('a link that is too old is refused and leads to a new one', async ({ page }) => {
  const email = `late-${Date.now()}@example.org`;
  await page.request.post(`${baseUrl()}/api/signup`, { data: { email } });
  const link = await mailedLink(page.request, email);
  await expireLinks(email);
  await page.goto(link);
  await expect(page.getByText('This sign-in link has expired')).toBeVisible();
  await page.getByRole('link', { name: 'Request a new sign-in link' }).click();
  await expect(page.getByLabel('E-mail address')).toBeVisible();
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
  await giveName(page);
  const second = await page.context().newPage();
  await second.goto(`${baseUrl()}/account`);
  await expect(second.getByRole('heading', { name: 'My account' })).toBeVisible();

  // The set-up page of the first tab hides the user's menu.
  await second.getByRole('button', { name: /Menu of/ }).click();
  await second.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await expect(second.getByLabel('E-mail address')).toBeVisible();
});
