import { expect, type Page } from '@playwright/test';
import { baseUrl } from './journeys.ts';

/** Asks as Field Book does, for who is signed in on the page: a list, or what was written. */
export async function fieldBook<Entry>(page: Page, path: string, body?: unknown): Promise<Entry[]> {
  const { access_token } = await page.evaluate(() => JSON.parse(localStorage.getItem('heterosis.session') ?? '{}'));
  const answer = await page.request.fetch(`${baseUrl()}/brapi/v2${path}`, {
    ...(body === undefined ? {} : { method: 'POST', data: body }),
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { result: { data: Entry[] } }).result.data;
}
