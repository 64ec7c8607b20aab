import { expect, test } from '@playwright/test';
import { expectAccessible, signInWithProject } from '../support/journeys.ts';

test('a lost connection is said, what could not be loaded is shown by itself when it is back', async ({ page }) => {
  await signInWithProject(page, 'connection', {});
  await page.getByRole('link', { name: 'Models' }).first().click();
  await expect(page.getByText('No models yet')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText('Connection lost')).toBeVisible();
  await page.getByRole('link', { name: 'GWAS', exact: true }).first().click();
  await expect(page.getByRole('alert')).toContainText('The server could not be reached');
  await expectAccessible(page);

  await page.context().setOffline(false);
  await expect(page.getByText('No GWAS yet')).toBeVisible();
  await expect(page.getByText('Connection lost')).toHaveCount(0);
});

test('a server that takes requests and answers none is named after five seconds, and no more once it answers', {
  tag: '@whole',
}, async ({ page }) => {
  await signInWithProject(page, 'silent', {});
  await expect(page.getByRole('link', { name: 'Models' }).first()).toBeVisible();
  let answer = (): void => undefined;
  const answering = new Promise<void>((resolve) => {
    answer = resolve;
  });
  // Also what is asked to see whether one slow answer is all.
  await page.route(/\/(?:api|healthz)/, async (route) => {
    await answering;
    await route.fallback();
  });
  await page.getByRole('link', { name: 'Models' }).first().click();
  await expect(page.getByText('The server has not answered for 5 seconds. Waiting…')).toBeVisible();
  await expectAccessible(page);
  answer();
  await expect(page.getByText('No models yet')).toBeVisible();
  await expect(page.getByText('The server has not answered')).toHaveCount(0);
});

test('an unknown page of a project keeps the navigation, an unknown project does not have one', {
  tag: '@whole',
}, async ({ page }) => {
  const { url } = await signInWithProject(page, 'nowhere', {});
  await page.goto(`${url}/nowhere`);
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the project overview' }).click();
  await expect(page.getByRole('heading', { name: 'Maize panel' })).toBeVisible();
  await page.goto(url.replace(/[^/]+$/, '01a1fd10-d637-77bf-831e-b2e3f9e7a489'));
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Models' })).toHaveCount(0);
});
