import { createHmac } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { baseUrl, expectAccessible, mailedLink, mailedText, query, signInWithProject } from '../support/journeys.ts';

/** RFC 4648 and RFC 6238, as an authenticator app reads and computes them. */
function codeAt(secret: string, step: number): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

const stepNow = (): number => Math.floor(Date.now() / 30_000);

async function emailOf(page: Page): Promise<string> {
  return (
    (await page
      .getByText(/@example\.org$/)
      .first()
      .textContent()) ?? ''
  );
}

test('a second factor is set up after a proof, asked for at the next sign-in, and demanded by an organization', {
  tag: '@whole',
}, async ({ page, browser }) => {
  const { url, call } = await signInWithProject(page, 'factor', {});
  await page.goto(`${baseUrl()}/account`);
  const email = await emailOf(page);
  await query(
    `update sessions set proved_at = proved_at - interval '20 minutes'
     where user_id = (select id from users where email = $1)`,
    [email],
  );

  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('button', { name: 'Mail me a code' }).click();
  await proof
    .getByLabel('Code from the mail')
    .fill(/\d{4} \d{4}/.exec(await mailedText(page.request, email, 'Your code'))?.[0] ?? '');
  await expectAccessible(page);
  await proof.getByRole('button', { name: 'Confirm' }).click();

  const dialog = page.getByRole('dialog', { name: 'Set up a second factor' });
  const shown = (await dialog.getByText(/^(?:[A-Z2-7]{4} ?){8}$/).textContent()) ?? '';
  const secret = shown.replaceAll(' ', '');
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const step = stepNow();
  await dialog.getByLabel('Code that the app shows now').fill(codeAt(secret, step));
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  const recovery = (await codes.getByRole('listitem').first().textContent()) ?? '';
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 recovery codes are left')).toBeVisible();

  // Signing in, with a recovery code in place of the phone.
  await page.request.post(`${baseUrl()}/api/auth/link`, { data: { email } });
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(await mailedLink(page.request, email));
  await elsewhere.getByLabel('Code', { exact: true }).fill(codeAt(secret, step));
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await expect(elsewhere.getByText('This code is not right, or it was used before.')).toBeVisible();
  await expectAccessible(elsewhere);
  await elsewhere.getByLabel('Code', { exact: true }).fill(recovery);
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await expect(elsewhere.getByRole('link', { name: 'Maize panel' })).toBeVisible();
  await elsewhere.context().close();

  // The organization demands one: somebody without sees how to set it up, and nothing else.
  const { data } = (await call('GET', '/organizations')) as unknown as { data: { id: string }[] };
  const member = await (await browser.newContext()).newPage();
  await signInWithProject(member, 'member', {});
  await member.goto(`${baseUrl()}/account`);
  await query(
    `insert into organization_members (id, organization_id, user_id, role)
     select gen_random_uuid(), $1::uuid, id, 'MANAGER' from users where email = $2`,
    [data[0]?.id ?? '', await emailOf(member)],
  );
  await page.goto(`${baseUrl()}/organizations/${data[0]?.id}?modal=update-org&modal_id=${data[0]?.id}`);
  await page.getByLabel('Everybody here needs a second factor').check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await member.goto(url);
  await expect(member.getByRole('heading', { name: 'A second factor is needed' })).toBeVisible();
  await expect(member.getByText('Acme Breeding demands a second factor of everybody there.')).toBeVisible();
  await expectAccessible(member);
  await member.context().close();
});
