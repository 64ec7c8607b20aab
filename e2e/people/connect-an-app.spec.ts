import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type APIRequestContext, expect, type Locator, type Page, test } from '@playwright/test';
import { baseUrl, expectAccessible, mailedLink, signInByRequests } from '../support/journeys.ts';

const REDIRECT = 'fieldbook://app/auth';

/** A reader of QR codes, for the browser: it finds the code in the pixels of a picture, as a camera does. */
const JSQR = readFileSync(createRequire(import.meta.url).resolve('jsqr'), 'utf8');

async function readQrCode(page: Page, code: Locator): Promise<string> {
  const picture = (await code.screenshot()).toString('base64');
  await page.evaluate(JSQR);
  return await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('There is no canvas.');
    context.drawImage(image, 0, 0);
    const { jsQR } = globalThis as unknown as {
      jsQR: (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null;
    };
    return jsQR(context.getImageData(0, 0, width, height).data, width, height)?.data ?? '';
  }, picture);
}

interface Asked {
  address: string;
  verifier: string;
  endpoint: string;
}

/** What the app does with the account that it has scanned: discovery, and a request with PKCE. */
async function asApp(request: APIRequestContext, account: { oidc: string; clientId: string }): Promise<Asked> {
  const discovered = await (await request.get(account.oidc)).json();
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    ...{ client_id: account.clientId, redirect_uri: REDIRECT, response_type: 'code', scope: 'openid', state: 'of-app' },
    ...{ prompt: 'login', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  return {
    address: `${discovered.authorization_endpoint}?${query}`,
    verifier,
    endpoint: discovered.token_endpoint,
  };
}

/** Presses a button of the consent page; returns the address by which the app is called back. */
async function answer(page: Page, button: 'Allow' | 'Refuse'): Promise<URL> {
  const back = page.waitForResponse((response) => (response.headers()['location'] ?? '').startsWith(REDIRECT));
  await page.getByRole('button', { name: button }).click();
  return new URL((await back).headers()['location'] ?? '');
}

test('a person scans the code, signs in from the app, refuses, allows, and revokes the access', async ({
  page,
  browser,
}) => {
  const email = `connect-${Date.now()}@example.org`;
  const call = await signInByRequests(page, email);
  await call('POST', '/organizations', { name: 'Field trials' });
  await page.goto(`${baseUrl()}/account`);
  const code = page.getByRole('img', { name: 'QR code with the address of this server' });
  await code.scrollIntoViewIfNeeded();
  await expect(code).toBeVisible();
  const account = JSON.parse(await readQrCode(page, code));
  expect(account).toEqual({
    ...{ url: baseUrl(), name: 'Heterosis', v: 'V2', flow: 'code', clientId: 'fieldbook' },
    oidc: `${baseUrl()}/.well-known/openid-configuration`,
  });
  await page.getByText('Intercross', { exact: true }).click();
  await expect.poll(async () => JSON.parse(await readQrCode(page, code)).clientId).toBe('intercross');

  // The browser of the phone, in which nobody is signed in.
  const phone = await (
    await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 390, height: 844 } })
  ).newPage();
  const refused = await asApp(phone.request, account);
  const before = await mailedLink(phone.request, email);
  await phone.goto(refused.address);
  await phone.getByLabel('E-mail address').fill(email);
  await phone.keyboard.press('Enter');
  await phone.goto(await mailedLink(phone.request, email, before));
  await expect(phone.getByRole('heading', { name: 'Field Book asks for access' })).toBeVisible();
  await expect(phone.getByText(`You are signed in as ${email}.`, { exact: false })).toBeVisible();
  await expectAccessible(phone);
  const no = await answer(phone, 'Refuse');
  expect([no.searchParams.get('error'), no.searchParams.get('state')]).toEqual(['access_denied', 'of-app']);

  const allowed = await asApp(phone.request, account);
  await phone.goto(allowed.address);
  await phone.getByLabel('Read only').check();
  const yes = await answer(phone, 'Allow');
  expect(yes.searchParams.get('state')).toBe('of-app');
  const exchanged = await phone.request.post(allowed.endpoint, {
    form: {
      ...{ grant_type: 'authorization_code', client_id: account.clientId, redirect_uri: REDIRECT },
      ...{ code: yes.searchParams.get('code') ?? '', code_verifier: allowed.verifier },
    },
  });
  expect(exchanged.status(), await exchanged.text()).toBe(200);
  const { access_token: token } = await exchanged.json();
  const programs = () =>
    phone.request.get(`${account.url}/brapi/v2/programs`, { headers: { authorization: `Bearer ${token}` } });
  const listed = await programs();
  expect(listed.status()).toBe(200);
  expect((await listed.json()).result.data).toMatchObject([{ programName: 'Field trials' }]);

  await page.goto(`${baseUrl()}/account`);
  const row = page.getByRole('row', { name: /Field Book/ });
  await expect(row).toContainText('read');
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toBeHidden();
  expect((await programs()).status()).toBe(401);
});
