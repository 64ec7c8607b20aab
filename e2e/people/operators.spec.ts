import { expect, test } from '@playwright/test';
import {
  admin,
  baseUrl,
  expectAccessible,
  giveName,
  mailedLink,
  PHENOTYPES,
  query,
  signInByRequests,
  uploadFile,
} from '../support/journeys.ts';
import { launchProduct } from '../support/start-product.ts';

const OPERATOR = 'olga@example.org';
const BREEDER = 'bea@example.org';

let product: Awaited<ReturnType<typeof launchProduct>>;
const usual = { url: process.env.HETEROSIS_URL, dataDir: process.env.HETEROSIS_DATA_DIR };

test.beforeAll(async () => {
  test.setTimeout(180_000);
  product = await launchProduct({ DEMO: 'off', REGISTRATION: 'approval' });
  process.env.HETEROSIS_URL = product.url;
  process.env.HETEROSIS_DATA_DIR = product.dataDir;
});
test.afterAll(async () => {
  process.env.HETEROSIS_URL = usual.url;
  process.env.HETEROSIS_DATA_DIR = usual.dataDir;
  await product.stop();
});

test('an operator admits a person, limits an organization, starts a failed run again, and finds all in the audit', {
  tag: '@whole',
}, async ({ page: operator, browser }) => {
  // The first operator is made at the console.
  await operator.request.post(`${baseUrl()}/api/signup`, { data: { email: OPERATOR } });
  await admin('registrations', 'approve', OPERATOR);
  await admin('operators', 'add', OPERATOR);

  const breeder = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await breeder.goto(baseUrl());
  await breeder.getByLabel('E-mail address').fill(BREEDER);
  await breeder.keyboard.press('Enter');
  await breeder.getByRole('dialog').getByRole('button', { name: 'Request' }).click();
  await expect(breeder.getByText('You will get a reply within 2-3 days.')).toBeVisible();
  await expectAccessible(breeder);

  // Operators are mailed a link to the requests.
  const requests = `${baseUrl()}/operator/registrations`;
  await expect.poll(() => mailedLink(operator.request, OPERATOR)).toBe(requests);
  await signInByRequests(operator, OPERATOR, 'Olga');
  await operator.goto(requests);
  // Whoever has no organization is offered one.
  await operator.getByRole('dialog', { name: /Create an organization/ }).waitFor();
  await operator.keyboard.press('Escape');
  await operator.getByRole('button', { name: `Approve ${BREEDER}` }).click();
  await expect(
    operator.getByText(`${BREEDER} now has an account and gets an e-mail with a sign-in link.`),
  ).toBeVisible();
  await expect(operator.getByRole('row', { name: BREEDER })).toContainText('Approved');
  await expectAccessible(operator);

  await breeder.goto(await mailedLink(breeder.request, BREEDER));
  await giveName(breeder);
  await breeder.getByLabel('Organization name').fill('Acme Breeding');
  await breeder.getByRole('button', { name: 'Create organization' }).click();
  const dialog = breeder.getByRole('dialog', { name: 'Create a project' });
  await expect(dialog).toBeVisible();
  const organization = new URL(breeder.url()).origin + new URL(breeder.url()).pathname;
  await dialog.getByLabel('Crop').fill('Maize');
  await dialog.getByLabel('Project name').fill('Panel');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(breeder.getByRole('heading', { name: 'Panel' })).toBeVisible();
  await breeder
    .getByRole('link', { name: /^Project Files/ })
    .first()
    .click();
  await uploadFile(breeder, PHENOTYPES, 'Phenotype');
  const row = breeder.getByRole('row', { name: /phenotypes\.csv/ });
  await expect(row).toContainText('ready', { timeout: 60_000 });

  const section = async (name: string) => {
    await operator.getByRole('link', { name, exact: true }).click();
    await expect(operator.getByRole('heading', { level: 1 })).toHaveText(name);
  };
  await section('Organizations');
  await operator.getByRole('button', { name: 'Actions for Acme Breeding' }).click();
  await operator.getByRole('menuitem', { name: 'Change quotas' }).click();
  const quotas = operator.getByRole('dialog');
  await quotas.getByLabel('Storage, GB').fill('much');
  await quotas.getByLabel('Runs at a time').fill('3');
  await operator.keyboard.press('Enter');
  await expect(quotas.getByText('Enter a number from 0 to 9,007,199.')).toBeVisible();
  await quotas.getByLabel('Storage, GB').fill('0,00001');
  await expectAccessible(operator);
  await operator.keyboard.press('Enter');
  await expect(quotas).toBeHidden();
  await expect(operator.getByRole('row', { name: /Acme Breeding/ })).toContainText(/of 10\.0 kB/);

  // Beyond the quota nothing is stored, and its owner sees why.
  await breeder.getByRole('button', { name: 'Upload files' }).first().click();
  const upload = breeder.getByRole('dialog');
  await upload.locator('input[type=file]').setInputFiles(PHENOTYPES);
  await upload.getByLabel(/^Type of/).selectOption({ label: 'Phenotype' });
  await upload.getByRole('button', { name: 'Upload 1 file' }).click();
  const refusal = /This file has 6\.16 kB, and the organization has 3\.84 kB of 10 kB left/;
  await expect(breeder.getByText(refusal)).toBeVisible();
  await breeder.goto(organization);
  const bar = breeder.getByRole('progressbar', { name: 'Storage' });
  await expect(bar).toBeVisible();
  await expect(bar).toHaveAttribute('aria-valuenow', /^6[12]/);
  await expect(breeder.getByText('0 of 3')).toBeVisible();
  await expectAccessible(breeder);

  // As after a worker that was lost.
  const lost = `update runs set state = 'FAILED', error_code = 'jobs/worker-lost', error_extra = '{}' where step = 'import'`;
  expect(await query(lost, [])).toBe(1);
  await section('Queue and Failures');
  const failed = operator.getByRole('row', { name: /jobs\/worker-lost/ });
  await expect(failed).toContainText('Acme Breeding');
  await expectAccessible(operator);
  await failed.getByRole('button', { name: 'Run again' }).click();
  await expect(operator.getByText('No run has failed.')).toBeVisible();
  await expect
    .poll(() => query(`select from runs where step = 'import' and state = 'SUCCEEDED'`, []), { timeout: 30_000 })
    .toBe(1);

  await section('E-mails');
  await expect(operator.getByRole('row', { name: BREEDER }).first()).toContainText('In the outbox');
  await section('Audit');
  for (const event of [
    `Approved the account of ${BREEDER}`,
    'Changed the quotas of the organization',
    'Restarted a failed run',
    `Made ${OPERATOR} an operator`,
  ])
    await expect(operator.getByRole('cell', { name: event }).first()).toBeVisible();
  await expectAccessible(operator);

  // Who has no part in the operation finds no such page.
  await breeder.goto(`${baseUrl()}/operator/work`);
  await expect(breeder.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await breeder.context().close();
});
