import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { baseUrl, expectAccessible, giveName, signInAsNewUser } from './journeys.ts';
import { launchProduct } from './start-product.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** From the plans in the dialog to where the subscription is confirmed. */
async function choosePlan(page: Page): Promise<void> {
  await page.goto(`${baseUrl()}/projects?modal=create-org`);
  const dialog = page.getByRole('dialog', { name: /Create an organization/ });
  await expect(dialog.getByText('$10')).toBeVisible();
  await expect(dialog.getByText('Billed annually')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Other options' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Subscribe/ }).click();
}

test('a plan is chosen and confirmed, grows, shrinks no further than allowed, and is cancelled and kept', async ({
  page,
}) => {
  await signInAsNewUser(page, `billing-${Date.now()}@example.org`);
  await giveName(page);
  await choosePlan(page);
  await expect(page.getByRole('heading', { name: 'Confirm your subscription' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Organization name').fill('Acme Breeding');
  await page.getByLabel('Seats').fill('9');
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await expect(page.getByText('A subscription has at least 10 seats')).toBeVisible();
  await page.getByLabel('Seats').fill('12');
  await expect(page.getByText('$1,440 a year')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm subscription' }).dblclick();
  await expect(page.getByRole('heading', { name: 'Acme Breeding' })).toBeVisible();
  await expect(page.getByText('1 of 12 seats used')).toBeVisible();

  await page.getByRole('navigation').getByRole('link', { name: 'Billing' }).click();
  await expect(page.getByText(/Standard plan with 12 seats\. Next invoice: \$1,440 on/)).toBeVisible();
  await page.getByRole('button', { name: 'Change seats' }).click();
  const dialog = page.getByRole('dialog');
  const extra = dialog.getByLabel('Extra seats');
  await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled();
  await extra.fill('-3');
  await expect(dialog.getByText(/Give a whole number from .2 to 9,988/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled();
  await extra.fill('3');
  await expect(dialog.getByText(/15 seats afterwards, \$1,800 a year/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/Standard plan with 15 seats/)).toBeVisible();
  const row = page.getByRole('row', { name: /3 seats added/ });
  await expect(row).toContainText('$360');
  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: /^Download/ }).click();
  expect((await download).suggestedFilename()).toMatch(/^H-\d+\.html$/);

  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByText(/It ends on .* and is not renewed/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep subscription' }).click();
  await expect(page.getByText(/Next invoice: \$1,800/)).toBeVisible();
  await expectAccessible(page);
});

test.describe('with Stripe', () => {
  let stripe: ChildProcess;
  let pageOfStripe: string;
  let product: Awaited<ReturnType<typeof launchProduct>>;
  const usual = { ...process.env };

  test.beforeAll(async () => {
    test.setTimeout(180_000);
    const program = join(root, 'apps/server/src/testing/stripe/run-stripe-stand-in.ts');
    stripe = spawn(process.execPath, [program], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: stripe.stdout as NonNullable<typeof stripe.stdout> });
    const [line] = (await once(lines, 'line')) as [string];
    const { api, page } = JSON.parse(line) as { api: string; page: string };
    pageOfStripe = page;
    product = await launchProduct({
      DEMO: 'off',
      BILLING: 'stripe',
      STRIPE_API_URL: api,
      STRIPE_SECRET_KEY: 'sk_test_standIn',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_standIn',
      STRIPE_WEBHOOK_SECRET: 'whsec_standIn',
    });
    process.env.HETEROSIS_URL = product.url;
    await fetch(`${page}/webhook`, {
      method: 'POST',
      body: new URLSearchParams({ url: `${product.url}/api/stripe/webhook` }),
    });
  });
  test.afterAll(async () => {
    process.env.HETEROSIS_URL = usual.HETEROSIS_URL;
    await product.stop();
    stripe.kill();
  });

  test('a paid organization is read-only while a payment is open, says so on every page, and is mended', async ({
    page,
  }) => {
    await page.route('https://*.stripe.com/**', (route) => route.abort());
    const token = await signInAsNewUser(page, `stripe-${Date.now()}@example.org`);
    await giveName(page);
    await choosePlan(page);
    await page.getByLabel('Organization name').fill('Acme Breeding');
    await page.getByRole('button', { name: 'Pay and subscribe' }).click();
    await expect(page.getByRole('heading', { name: 'Acme Breeding' })).toBeVisible();
    await expect(page.getByText('1 of 10 seats used')).toBeVisible();

    const organization = new URL(page.url()).pathname;
    const call = async (method: 'GET' | 'POST', path: string, data?: object) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await page.request.fetch(`${baseUrl()}/api${path}`, {
        method,
        headers,
        ...(data ? { data } : {}),
      });
      return answer.json();
    };
    const crop = await call('POST', `${organization}/crops`, { name: 'Maize' });
    const place = { organization_id: organization.split('/').at(-1), crop_id: crop.id };
    const project = await call('POST', '/projects', { name: 'Panel', ...place });
    const { subscription } = await call('GET', `${organization}/billing`);
    const tell = (what: string) => fetch(`${pageOfStripe}/${what}/${subscription.id}`, { method: 'POST' });

    await page.getByRole('navigation').getByRole('link', { name: 'Billing' }).click();
    await expect(page.getByText('Visa ending in 4242')).toBeVisible();
    await page.getByRole('button', { name: 'Add credit card' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(/js\.stripe\.com cannot be reached from this browser/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await tell('fail');
    const banner = page.getByText('The last payment of this organization failed.');
    await expect(banner).toBeVisible();
    await expect(page.getByRole('row', { name: /Open/ }).getByRole('link', { name: /^Pay/ })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${baseUrl()}/projects/${project.id}`);
    await expect(banner).toBeVisible();
    await page.goto(`${baseUrl()}${organization}/members`);
    await expect(page.getByRole('heading', { name: 'Members', level: 2 })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Invite people' })).toBeHidden();
    await page.goto(`${baseUrl()}${organization}/crops`);
    await expect(page.getByRole('cell', { name: 'Maize', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add crop' })).toBeHidden();
    // A dialog that was open before says why it is refused.
    await page.goto(`${baseUrl()}${organization}/crops?modal=add-crop&modal_id=${place.organization_id}`);
    await dialog.getByLabel('Crop name').fill('Rye');
    await dialog.getByRole('button', { name: 'Add crop' }).click();
    await expect(dialog.getByText(/Ask an owner to pay on the billing page/)).toBeVisible();

    await tell('settle');
    await expect(banner).toBeHidden();
    await dialog.getByRole('button', { name: 'Add crop' }).click();
    await expect(page.getByRole('cell', { name: 'Rye', exact: true })).toBeVisible();
  });
});
