import { expect, type Page, test } from '@playwright/test';
import { launchProduct } from '../support/start-product.ts';
import { type AuthEmulator, PROJECT, startAuthEmulator } from './emulator.ts';

let emulator: AuthEmulator;
let product: Awaited<ReturnType<typeof launchProduct>>;

test.beforeAll(async () => {
  test.setTimeout(420_000);
  emulator = await startAuthEmulator();
  product = await launchProduct({
    DEMO: 'off',
    AUTH_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: PROJECT,
    FIREBASE_API_KEY: 'any-key',
    FIREBASE_AUTH_EMULATOR_HOST: emulator.host,
  });
});
test.afterAll(async () => {
  await product?.stop();
  await emulator?.stop();
});

async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto(product.url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
}

const dialog = (page: Page) => page.getByRole('dialog').first();

test('Firebase mails the links: a new address is registered, and a link works in another browser too', async ({
  page,
  browser,
}) => {
  const email = `fire-${Date.now()}@example.org`;
  await askForLink(page, email);
  await expect(dialog(page)).toContainText('not registered');
  await dialog(page).getByRole('button', { name: 'Request' }).click();
  await expect(dialog(page)).toContainText('A log-in URL has been sent to your email');
  const link = await emulator.mailedLink(email);
  await page.goto(link);
  await expect(page.getByLabel('First name')).toBeVisible();
  await page.getByLabel('First name').fill('Fia');
  await page.getByLabel('Last name').fill('Base');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('tab', { name: 'New organization' })).toBeVisible();

  await page.goto(`${product.url}/account`);
  await expect(page.getByRole('definition').filter({ hasText: email })).toBeVisible();
  await page.evaluate(() => localStorage.clear());

  // Known by now: the link is mailed at once. Where it is opened nobody knows who asked for it.
  await askForLink(page, email);
  await expect(dialog(page)).toContainText('A log-in URL has been sent to your email');
  const second = await emulator.mailedLink(email);
  expect(second).not.toBe(link);
  const other = await (await browser.newContext()).newPage();
  await other.goto(second);
  await other.getByLabel(/e-mail/i).fill(email);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other).toHaveURL(/\/setup$/);
  await other.context().close();
});

test('custom tokens of the project sign in who has a verified address there, and nobody else', async ({ page }) => {
  const email = `custom-${Date.now()}@example.org`;
  await askForLink(page, email);
  await dialog(page).getByRole('button', { name: 'Request' }).click();
  await expect(dialog(page)).toContainText('A log-in URL has been sent to your email');
  await page.goto(await emulator.mailedLink(email));
  await expect(page.getByLabel('First name')).toBeVisible();

  const uid = await emulator.accountOf(email);
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${product.url}/about`);
  await page.goto(`${product.url}/signin#token=${customToken(uid)}`);
  await expect(page.getByLabel('First name')).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${product.url}/about`);
  await page.goto(`${product.url}/signin#token=${customToken('somebody-without-address')}`);
  await expect(page.getByRole('alert')).toContainText('auth/account-exists-with-different-credential');
});

test('a token that the project did not issue signs nobody in', async ({ request }) => {
  for (const id_token of ['abc', customToken('somebody')]) {
    const data = { grant_type: 'firebase', id_token };
    const answer = await request.post(`${product.url}/api/auth/token`, { data });
    expect([answer.status(), (await answer.json()).code]).toEqual([400, 'auth/invalid-id-token']);
  }
});

/** As a backend of the project would sign one; the emulator takes it unsigned. */
function customToken(uid: string): string {
  const now = Math.floor(Date.now() / 1000);
  const account = `backend@${PROJECT}.iam.gserviceaccount.com`;
  const claims = {
    aud: 'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit',
    iss: account,
    sub: account,
    iat: now,
    exp: now + 3600,
    uid,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}
