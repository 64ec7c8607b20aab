import { expect, type Page, test } from '@playwright/test';
import { baseUrl, expectAccessible, giveName, mailedLink, signInAsNewUser } from '../support/journeys.ts';
import { type StripeProduct, startStripeProduct } from '../support/stripe.ts';

/** From the plans in the dialog to where the subscription is confirmed. */
async function choosePlan(page: Page): Promise<void> {
  await page.goto(`${baseUrl()}/projects?modal=create-org`);
  const dialog = page.getByRole('dialog', { name: /Create an organization/ });
  await expect(dialog.getByText('$10')).toBeVisible();
  await expect(dialog.getByText('Billed annually')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Other options' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Subscribe/ }).click();
  // The dialog has a field for the name too, for the free seats.
  await expect(dialog).toBeHidden();
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
  await expect(page.getByText('Enter a whole number from 10 to 10,000.')).toBeVisible();
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
  await expect(dialog.getByText(/Enter a whole number from .2 to 9,988/)).toBeVisible();
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
  let stripe: StripeProduct;

  test.beforeAll(async () => {
    test.setTimeout(180_000);
    stripe = await startStripeProduct();
  });
  test.afterAll(() => stripe.stop());

  test('a paid organization is read-only while a payment is open, says so on every page, and is mended', {
    tag: '@whole',
  }, async ({ page }) => {
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

    await page.getByRole('navigation').getByRole('link', { name: 'Billing' }).click();
    await expect(page.getByText('Visa ending in 4242')).toBeVisible();
    await page.getByRole('button', { name: 'Add credit card' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(/js\.stripe\.com cannot be reached from this browser/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await stripe.tell('fail', subscription.id);
    const banner = page.getByText('The last payment of this organization failed.');
    await expect(banner).toBeVisible();
    await expect(page.getByRole('row', { name: /Open/ }).getByRole('link', { name: /^Pay/ })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${baseUrl()}/projects/${project.id}`);
    await expect(banner).toBeVisible();
    await page.goto(`${baseUrl()}${organization}/members`);
    await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Invite people' })).toBeHidden();
    await page.goto(`${baseUrl()}${organization}/crops`);
    await expect(page.getByRole('cell', { name: 'Maize', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add crop' })).toBeHidden();
    // A dialog that was open before says why it is refused.
    await page.goto(`${baseUrl()}${organization}/crops?modal=add-crop&modal_id=${place.organization_id}`);
    await dialog.getByLabel('Crop name').fill('Rye');
    await dialog.getByRole('button', { name: 'Add crop' }).click();
    await expect(dialog.getByText(/Ask an owner to pay on the billing page/)).toBeVisible();

    await stripe.tell('settle', subscription.id);
    await expect(banner).toBeHidden();
    await dialog.getByRole('button', { name: 'Add crop' }).click();
    await expect(page.getByRole('cell', { name: 'Rye', exact: true })).toBeVisible();
  });

  test('seats run out and are added, ownership is handed over, and the new owner pays by another card', {
    tag: '@whole',
  }, async ({ page: owner, browser }) => {
    test.setTimeout(180_000);
    const stamp = Date.now();
    const mia = `mia-${stamp}@example.org`;
    const token = await signInAsNewUser(owner, `seats-${stamp}@example.org`);
    await giveName(owner);
    await choosePlan(owner);
    await owner.getByLabel('Organization name').fill('Acme Breeding');
    await owner.getByRole('button', { name: 'Pay and subscribe' }).click();
    await expect(owner.getByText('1 of 10 seats used')).toBeVisible();
    const organization = new URL(owner.url()).pathname;

    // A column from a spreadsheet: one more than there are seats.
    const last = `guest-9-${stamp}@example.org`;
    const column = [mia, ...Array.from({ length: 9 }, (_, index) => `guest-${index + 1}-${stamp}@example.org`)];
    await owner.getByRole('button', { name: 'Invite people' }).click();
    const dialog = owner.getByRole('dialog');
    const addresses = dialog.getByLabel('E-mail addresses');
    await addresses.fill(column.join('\n'));
    await dialog.getByRole('button', { name: 'Invite 10 people' }).click();
    await expect(dialog.getByText('9 people invited.')).toBeVisible();
    await expect(dialog.getByText('This address was not invited:')).toBeVisible();
    await expect(addresses).toHaveValue(last);
    await expect(dialog.getByText(/All 10 seats/)).toBeVisible();
    await expectAccessible(owner);
    const opening = owner.waitForEvent('popup');
    await dialog.getByRole('link', { name: /^Add seats/ }).click();
    const plan = await opening;
    await plan.getByLabel('Extra seats').fill('1');
    await plan.keyboard.press('Enter');
    await expect(plan.getByText('Standard plan with 11 seats')).toBeVisible();
    await plan.close();
    // The dialog knows of the new seat, and still has the address.
    await expect(dialog.getByText('1 of 11 seats is left.')).toBeVisible();
    await owner.getByRole('button', { name: 'Invite', exact: true }).click();
    await expect(dialog.getByText(/^Invited\./)).toBeVisible();
    await expect(addresses).toHaveValue('');
    await owner.keyboard.press('Escape');
    await expect(owner.getByText('11 of 11 seats used, 10 invitations pending')).toBeVisible();

    const member = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    await stripe.serveScript(member);
    await member.goto(await mailedLink(member.request, mia));
    await giveName(member, 'Mia');
    await member.getByRole('button', { name: 'Accept: Acme Breeding' }).click();
    await expect(member.getByText('11 of 11 seats used')).toBeVisible();
    await expect(owner.getByText('11 of 11 seats used, 9 invitations pending')).toBeVisible();

    // Mia owns it from now on, and both browsers know it without a reload.
    await owner.getByRole('link', { name: 'Members', exact: true }).click();
    await owner.getByRole('button', { name: 'Actions for Mia Breeder' }).click();
    await owner.getByRole('menuitem', { name: 'Hand over ownership' }).click();
    await expectAccessible(owner);
    await dialog.getByRole('button', { name: 'Hand over ownership' }).click();
    await expect(owner.getByRole('row', { name: /Ann Breeder \(you\)/ })).toContainText('Manager');
    await expect(owner.getByRole('row', { name: /Mia Breeder/ })).toContainText('Owner');
    await owner.getByRole('link', { name: 'Billing', exact: true }).click();
    await expect(owner.getByText('Only owners of the organization change the plan.')).toBeVisible();
    await expect(owner.getByRole('button', { name: 'Add credit card' })).toHaveCount(0);

    await member.getByRole('link', { name: 'Billing', exact: true }).click();
    await expect(member.getByText('Visa ending in 4242')).toBeVisible();
    await member.getByRole('button', { name: 'Add credit card' }).click();
    const cards = member.getByRole('dialog');
    const number = cards.getByLabel('Card number');
    await expect(number).toBeFocused();
    await expect(cards.getByRole('button', { name: 'Confirm' })).toBeDisabled();
    await number.fill('4000000000000002');
    await cards.getByRole('button', { name: 'Confirm' }).click();
    await expect(cards.getByText('Your card was declined.')).toBeVisible();
    await number.fill('5555555555554444');
    await member.keyboard.press('Enter');
    await expect(cards).toBeHidden();
    await expect(member.getByText('Visa ending in 4444')).toBeVisible();

    const headers = { authorization: `Bearer ${token}` };
    const billing = await (await owner.request.get(`${baseUrl()}/api${organization}/billing`, { headers })).json();
    await stripe.tell('fail', billing.subscription.id);
    const banner = /The last payment of this organization failed/;
    for (const page of [owner, member]) await expect(page.getByText(banner)).toBeVisible();
    await stripe.tell('settle', billing.subscription.id);
    for (const page of [owner, member]) await expect(page.getByText(banner)).toBeHidden();

    await member.getByRole('link', { name: 'Members', exact: true }).click();
    await member.getByRole('button', { name: 'Actions for Ann Breeder' }).click();
    await member.getByRole('menuitem', { name: 'Remove from organization' }).click();
    await member.getByRole('dialog').getByRole('button', { name: 'Remove from organization' }).click();
    await expect(owner.getByRole('heading', { name: 'Not found' })).toBeVisible();
    await member.context().close();
  });
});
