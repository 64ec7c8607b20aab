import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { openDemo } from '../support/demo.ts';
import { baseUrl } from '../support/journeys.ts';

test('a result is shared by a link, read without an account, and taken back', { tag: '@whole' }, async ({
  page,
  browser,
}) => {
  const demo = await openDemo(page);
  await page.goto(`${baseUrl()}${demo.project}/gwas/${demo.runs.gwas}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Share by a link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Expires').selectOption('in 7 days');
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const url = await dialog.getByLabel('Link', { exact: true }).inputValue();
  expect(url.startsWith(`${baseUrl()}/s#`)).toBe(true);

  const reader = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  reader.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
  await reader.goto(url);
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Ear height, flowering and ear diameter');
  await expect(reader.getByText('Shared by Heterosis demo')).toBeVisible();
  await expect(reader.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
  // The secret is sent to nobody but in the body of the one request; no link of the page leads into the product.
  expect(asked.filter((one) => one.includes(new URL(url).hash.slice(1)))).toEqual([]);
  const html = await reader.content();
  for (const id of Object.values(demo).flatMap((one: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(one)?.[0] ?? []))
    expect(html).not.toContain(id);
  await expect(reader.getByRole('link')).toHaveCount(0);
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('button', { name: 'Report (PDF)' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Ear height, flowering and ear diameter.pdf');
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  await page.keyboard.press('Escape');
  await page.goto(`${baseUrl()}${demo.project}/shareLinks`);
  const row = page.getByRole('row').filter({ hasText: 'Ear height' }).first();
  await row.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row.getByText('Revoked')).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('This link shows nothing');
});
