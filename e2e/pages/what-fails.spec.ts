import { expect, type Locator, type Page, type Route, test } from '@playwright/test';
import {
  baseUrl,
  expectAccessible,
  giveName,
  putProjectOff,
  query,
  signInAsNewUser,
  signInWithProject,
} from '../support/journeys.ts';

const PRICES = '**/api/stripe/price';
const TEXTS = '**/locales/en/common.json';

test('the setup page and the dialog offer the same, also while the prices cannot be had', { tag: '@whole' }, async ({
  page,
}) => {
  const fail = (route: Route) =>
    route.fulfill({
      status: 502,
      contentType: 'application/problem+json',
      json: { code: 'billing/provider-failed', status: 502, title: 'Payments', detail: 'Stripe did not answer.' },
    });
  await page.route(PRICES, fail);
  await signInAsNewUser(page, `prices-${Date.now()}@example.org`);
  await giveName(page);
  const expectOffers = async (place: Page | Locator): Promise<void> => {
    await expect(place.getByRole('alert')).toContainText('Stripe did not answer.');
    const free = place.getByRole('region', { name: 'Free seats' });
    await expect(free.getByRole('button', { name: 'Create organization' })).toBeVisible();
    await expect(place.getByRole('region', { name: 'Other options' })).toBeVisible();
    await expect(place.getByRole('button', { name: /^Subscribe:/ })).toHaveCount(0);
  };
  await expectOffers(page);
  await expectAccessible(page);

  await page.goto(`${baseUrl()}/projects`);
  const dialog = page.getByRole('dialog');
  await expectOffers(dialog);
  await expectAccessible(page);
  await page.unroute(PRICES, fail);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('button', { name: /^Subscribe:/ }).first()).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  // The free seats need no price.
  await page.route(PRICES, fail);
  await page.reload();
  await dialog.getByLabel('Organization name').fill('Acme Breeding');
  await dialog.getByRole('button', { name: 'Create organization' }).click();
  await putProjectOff(page);
  await expect(page.getByRole('heading', { name: 'Acme Breeding' })).toBeVisible();
});

test('while the texts of the page cannot be had it says why, and goes on by itself', { tag: '@whole' }, async ({
  page,
}) => {
  let answer: (route: Route) => Promise<void> = (route) => route.abort();
  await page.route(TEXTS, (route) => answer(route));
  await page.goto(baseUrl());
  const said = page.getByRole('alert');
  await expect(said).toContainText('The server could not be reached.');
  answer = (route) => route.fulfill({ status: 404 });
  await expect(said).toContainText('an error (status 404) in place of the texts');
  answer = (route) => route.fulfill({ contentType: 'application/json', body: '{"error": {"retry": ' });
  await expect(said).toContainText('a file that cannot be read in place of the texts');
  answer = (route) => route.continue();
  await expect(page.getByLabel('E-mail address')).toBeVisible();
});

test('a session that has ended says so, and goes on where it was', async ({ page }) => {
  const { url } = await signInWithProject(page, 'ended', {});
  await page.goto(`${baseUrl()}/account`);
  const email =
    (await page
      .getByText(/^ended-.*@example\.org$/)
      .first()
      .textContent()) ?? '';
  await query('delete from sessions where user_id = (select id from users where email = $1)', [email]);
  await page.goto(`${url}/models`);
  await expect(page.getByText('Your session has ended. Sign in to continue where you were.')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('returnTo')).toBe(`${new URL(url).pathname}/models`);
  await expectAccessible(page);
});

test('the current crop is there again after a reload, and lists of projects say the role', { tag: '@whole' }, async ({
  page,
}) => {
  const { url } = await signInWithProject(page, 'crop', {});
  await page.goto(`${baseUrl()}/projects`);
  await page.getByText('Table', { exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'Your role' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Maize panel/ })).toContainText('Owner');
  await page.goto(url);
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Breeding/ })
    .click();
  await page.getByRole('link', { name: 'Crops' }).click();
  await page.getByRole('button', { name: 'Add crop' }).first().click();
  await page.getByRole('dialog').getByLabel('Crop name').fill('Barley');
  await page.getByRole('dialog').getByRole('button', { name: 'Add crop' }).click();
  await expect(page.getByRole('cell', { name: 'Barley', exact: true })).toBeVisible();
  await page.reload();
  await page.goto(`${baseUrl()}/projects`);
  await page.getByRole('button', { name: 'Create project' }).first().click();
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Crop' })).toHaveValue('Barley');
});

/** The configuration of the running product with some of it changed. */
const withConfig = (page: Page, change: (config: Record<string, object>) => object) =>
  page.route('**/api/config', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: change(await answer.json()) });
  });

test('the footer leads to the support of the operator, on every page', { tag: '@whole' }, async ({ page }) => {
  await withConfig(page, (config) => ({ ...config, support: 'https://support.example.org/heterosis' }));
  for (const path of ['/', '/about', '/help']) {
    await page.goto(baseUrl() + path);
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'Contact support' });
    await expect(link).toHaveAttribute('href', 'https://support.example.org/heterosis');
  }
});

test.describe('where Firebase mails the links', () => {
  // The policy of this product knows no Firebase.
  test.use({ bypassCSP: true });

  test('each refusal of Firebase has a text of ours, with its code', async ({ page }) => {
    const SAID: [code: string, answer: string | null, text: string][] = [
      ['auth/quota-exceeded', 'QUOTA_EXCEEDED', 'has reached its quota for today'],
      ['auth/too-many-requests', 'TOO_MANY_ATTEMPTS_TRY_LATER', 'too many requests from this device'],
      ['auth/invalid-email', 'INVALID_EMAIL', 'Invalid email address'],
      ['auth/user-disabled', 'USER_DISABLED', 'This account is disabled'],
      ['auth/operation-not-allowed', 'OPERATION_NOT_ALLOWED', 'is switched off in the Firebase project'],
      ['auth/unauthorized-continue-uri', 'UNAUTHORIZED_DOMAIN', 'does not know the address of this server'],
      ['auth/network-request-failed', null, 'could not be reached'],
      ['auth/api-key-not-valid', 'API key not valid. Please pass a valid API key.', 'is not set up correctly'],
      ['auth/something-new', 'SOMETHING_NEW', 'Firebase did not sign you in'],
    ];
    await withConfig(page, (config) => ({
      ...config,
      sign_in: {
        ...config['sign_in'],
        firebase: { api_key: 'key', auth_domain: 'x.example.org', project_id: 'x', emulator_host: null },
      },
    }));
    await page.route('**/api/auth/link', (route) => route.fulfill({ json: { status: 'provider', expires_in: 900 } }));
    let refusal: string | null = null;
    await page.route('https://identitytoolkit.googleapis.com/**', (route) =>
      refusal === null
        ? route.abort()
        : route.fulfill({ status: 400, json: { error: { code: 400, message: refusal } } }),
    );
    await page.goto(baseUrl());
    for (const [code, answer, text] of SAID) {
      refusal = answer;
      await page.getByLabel('E-mail address').fill('anna@example.org');
      await page.getByRole('button', { name: 'Send sign-in link' }).click();
      await expect(page.getByRole('alert')).toContainText(text);
      await expect(page.getByRole('alert')).toContainText(code);
    }
    await expectAccessible(page);
  });
});
