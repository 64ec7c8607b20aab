import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import {
  baseUrl,
  expectAccessible,
  expireLinks,
  giveName,
  mailedLink,
  signInAsNewUser,
  signInWithProject,
} from '../support/journeys.ts';
import { INSTITUTE_PERSON } from '../support/start-product.ts';

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
  await expect(stranger.getByText('was used already')).toBeVisible();
  await other.close();
});

test('a known address gets a link and comes back to its projects', { tag: '@whole' }, async ({ page, browser }) => {
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

test('signing out in one tab signs out the others', { tag: '@whole' }, async ({ page }) => {
  await signInAsNewUser(page, `tabs-${Date.now()}@example.org`);
  await giveName(page);
  const second = await page.context().newPage();
  await second.goto(`${baseUrl()}/account`);
  await expect(second.getByRole('heading', { name: 'My account' })).toBeVisible();
  // Without an organization the dialog to create one opens by itself.
  await expect(second.getByRole('dialog')).toBeVisible();
  await second.keyboard.press('Escape');

  // The set-up page of the first tab hides the user's menu.
  await second.getByRole('button', { name: /Menu of/ }).click();
  await second.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await expect(second.getByLabel('E-mail address')).toBeVisible();
});

test('an OpenID Connect provider signs in, and who cancels there is told so', async ({ page }) => {
  await page.goto(baseUrl());
  await page.getByRole('link', { name: 'Sign in with Institute' }).click();
  await page.getByPlaceholder('Enter any login').fill('institute');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Heterosis' })).toBeVisible();
  await page.goto(`${baseUrl()}/account`);
  await expect(page.getByText(INSTITUTE_PERSON.email).first()).toBeVisible();
  await expect(page.getByText(INSTITUTE_PERSON.name).first()).toBeVisible();
  // Without an organization the dialog to create one opens by itself.
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();

  await page.goto(`${baseUrl()}/signin?error=auth/user-cancelled`);
  await expect(page.getByText('The sign-in was cancelled.')).toBeVisible();
  await expectAccessible(page);
});

test('a custom token signs in, once its text has left the address and the history', { tag: '@whole' }, async ({
  page,
}) => {
  const email = `custom-${Date.now()}@example.org`;
  await page.request.post(`${baseUrl()}/api/signup`, { data: { email } });
  const token = await customToken(email);
  await page.goto(`${baseUrl()}/about`);
  await page.goto(`${baseUrl()}/signin#token=${token}`);
  await expect(page.getByRole('heading', { name: 'Welcome to Heterosis' })).toBeVisible();
  expect(page.url()).not.toContain('token');
  await page.goBack();
  expect(page.url()).not.toContain('token');
  await page.goto(`${baseUrl()}/signin#token=${token.slice(0, -4)}`);
  await expect(page.getByText('is not one that this service has signed')).toBeVisible();
  expect(page.url()).not.toContain('token');
});

test('people look after their account: photo, tokens, address, devices, data, and deletion', { tag: '@whole' }, async ({
  page,
  browser,
}) => {
  const { call } = await signInWithProject(page, 'owner', {});
  const owner = page;
  const person = await (await browser.newContext()).newPage();
  const email = `person-${Date.now()}@example.org`;
  const authorization = `Bearer ${await signInAsNewUser(person, email)}`;
  await giveName(person);
  const organizations = (await call('GET', '/organizations')) as unknown as { data: { id: string }[] };
  const { id } = await call('POST', `/organizations/${organizations.data[0]?.id}/invitations`, { recipient: email });
  await person.request.get(`${baseUrl()}/api/invitations/${id}/accept`, { headers: { authorization } });
  await person.goto(`${baseUrl()}/account`);

  await person.setInputFiles('input[type=file]', { name: 'me.png', mimeType: 'image/png', buffer: ONE_PIXEL });
  await expect(person.getByRole('img', { name: 'Photo' })).toBeVisible();
  await person.setInputFiles('input[type=file]', { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no') });
  await expect(person.getByText('cannot be read as an image')).toBeVisible();
  await person.getByRole('button', { name: 'Remove photo' }).click();
  await expect(person.getByRole('img', { name: 'Photo' })).toBeHidden();

  // The owner limits a token to one project.
  await owner.goto(`${baseUrl()}/account`);
  await owner.getByRole('button', { name: 'Create access token' }).click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Nightly');
  await dialog.getByLabel('Only selected projects').check();
  await expect(dialog.getByRole('button', { name: 'Create access token' })).toBeDisabled();
  await dialog.getByLabel('Maize panel').check();
  await expectAccessible(owner);
  await dialog.getByRole('button', { name: 'Create access token' }).click();
  const token = await dialog.getByRole('textbox', { name: 'Token' }).inputValue();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await expect(owner.getByRole('table', { name: 'Access tokens' })).toContainText('Maize panel');
  const withToken = { headers: { authorization: `Bearer ${token}` } };
  expect((await owner.request.get(`${baseUrl()}/api/projects`, withToken)).status()).toBe(200);
  expect((await owner.request.get(`${baseUrl()}/api/organizations`, withToken)).status()).toBe(403);
  await owner.getByRole('button', { name: 'Delete account' }).click();
  const refusal = owner.getByRole('dialog');
  await refusal.getByRole('textbox').fill(
    (await owner
      .getByText(/^owner-.*@example\.org$/)
      .first()
      .textContent()) ?? '',
  );
  await refusal.getByRole('button', { name: 'Delete account' }).click();
  await expect(refusal).toContainText('You are the only owner of');
  await refusal.getByRole('button', { name: 'Cancel' }).click();

  const newEmail = `new-${email}`;
  await person.getByRole('button', { name: 'Change e-mail address' }).click();
  await person.getByRole('dialog').getByLabel('New e-mail address').fill(newEmail);
  await person.getByRole('button', { name: 'Send the link' }).click();
  await expect(person.getByText(`A link was sent to ${newEmail}`)).toBeVisible();
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(await mailedLink(elsewhere.request, newEmail));
  await expect(elsewhere.getByText(`Your account now has the address ${newEmail}`)).toBeVisible();
  await expectAccessible(elsewhere);
  await expect(person.getByText(newEmail).first()).toBeVisible();

  await elsewhere.request.post(`${baseUrl()}/api/auth/link`, { data: { email: newEmail } });
  await elsewhere.goto(await mailedLink(elsewhere.request, newEmail));
  await expect(elsewhere.getByRole('button', { name: /Menu of/ })).toBeVisible();
  await person.reload();
  await person.getByRole('button', { name: 'Sign out all others' }).click();
  await person.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click();
  await expect(elsewhere.getByLabel('E-mail address')).toBeVisible();

  const download = person.waitForEvent('download');
  await person.getByRole('button', { name: 'Download my data' }).click();
  expect((await download).suggestedFilename()).toBe('heterosis-account.json');
  await person.getByRole('button', { name: 'Delete account' }).click();
  await person.getByRole('dialog').getByRole('textbox').fill(newEmail);
  await person.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await expect(person.getByLabel('E-mail address')).toBeVisible();
  await person.reload();
  await expect(person.getByLabel('E-mail address')).toBeVisible();
  await person.context().close();
  await elsewhere.context().close();
});

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** As an operator makes one for a program that signs people in. */
async function customToken(email: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['apps/server/src/entrypoints/admin.ts', 'custom-token', email],
    { cwd: join(import.meta.dirname, '../..'), env: { ...process.env, DATA_DIR: process.env.HETEROSIS_DATA_DIR } },
  );
  return stdout.trim();
}
