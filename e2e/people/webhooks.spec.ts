import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { baseUrl, expectAccessible, signInWithProject, uploadFile } from '../support/journeys.ts';

interface Call {
  headers: IncomingHttpHeaders;
  body: string;
}

let receiver: Server;
let calls: Call[];
let answers: number;

test.beforeEach(async () => {
  [calls, answers] = [[], 200];
  receiver = createServer(async (request, response) => {
    calls.push({ headers: request.headers, body: await text(request) });
    response.writeHead(answers).end('noted');
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
});
test.afterEach(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const isSignedWith = (secret: string, { headers, body }: Call): boolean => {
  const signed = createHmac('sha256', secret).update(`${headers['heterosis-timestamp']}.${body}`).digest('hex');
  return headers['heterosis-signature'] === `sha256=${signed}`;
};

test(
  'a webhook hears of a file, shows what failed, sends it again, and is deleted',
  { tag: '@whole' },
  async ({ page }, testInfo) => {
    const workspace = await signInWithProject(page, 'webhooks', {});
    const { data } = (await workspace.call('GET', '/organizations')) as unknown as { data: { id: string }[] };
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const webhooks = `${baseUrl()}/organizations/${data[0]?.id}/webhooks`;
    await page.goto(webhooks);
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Lab robot');
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByLabel('A file is ready').check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    const shown = page.getByRole('dialog', { name: 'Webhook secret' }).getByLabel('Secret', { exact: true });
    await expect(shown).toHaveValue(/^whsec_/);
    const secret = await shown.inputValue();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.reload();
    await expect(page.getByRole('row', { name: /Lab robot/ })).toContainText('On');
    expect(await page.content()).not.toContain(secret);

    const phenotypes = testInfo.outputPath('trials.csv');
    await writeFile(phenotypes, 'line,Yield\nA,1\nB,2\nC,3\n');
    await page.goto(workspace.url);
    await page.getByRole('link', { name: 'Project Files' }).first().click();
    await uploadFile(page, phenotypes, 'Phenotype');
    await expect.poll(() => calls.length).toBe(1);
    const [told] = calls as [Call];
    expect(isSignedWith(secret, told)).toBe(true);
    expect(isSignedWith(`${secret}x`, told)).toBe(false);
    expect(JSON.parse(told.body)).toMatchObject({ event: 'file.ready', data: { name: 'trials.csv', row_count: 3 } });

    await page.goto(webhooks);
    const deliveries = page.getByRole('region', { name: 'Deliveries to “Lab robot”' });
    const ready = deliveries.getByRole('row', { name: /A file is ready/ });
    await expect(ready).toContainText('Delivered');
    await expectAccessible(page);

    answers = 503;
    await page.getByRole('button', { name: 'Send a test' }).click();
    const tried = page.getByRole('row', { name: /^Test/ });
    await expect(tried).toContainText('Failed');
    await expect(tried).toContainText('503');
    await tried.getByRole('button', { name: 'Show' }).click();
    await expect(page.getByRole('dialog', { name: 'Request body' })).toContainText('"event": "test"');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    answers = 200;
    await tried.getByRole('button', { name: 'Send again' }).click();
    await expect(tried.filter({ hasText: 'Delivered' })).toBeVisible();
    expect(calls).toHaveLength(3);
    expect(calls[2]?.body).toBe(calls[1]?.body);
    expect(calls.every((one) => isSignedWith(secret, one))).toBe(true);

    await page.getByRole('button', { name: 'Actions for Lab robot' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No webhooks yet')).toBeVisible();
  },
);
