import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIRequestContext, Page } from '@playwright/test';

export const baseUrl = (): string => process.env.HETEROSIS_URL ?? 'http://127.0.0.1:3000';

/** The maize diversity panel; its source stands in the folder of the demo. */
export const DATA = join(import.meta.dirname, '../apps/server/src/features/demo/data');
export const GENOTYPES: string = join(DATA, 'genotypes.vcf.gz');
export const PHENOTYPES: string = join(DATA, 'phenotypes.csv');

const MAIL_TRIES = 40;
const MAIL_WAIT_MS = 250;

/** The newest sign-in link mailed to an address. */
export async function mailedLink(request: APIRequestContext, email: string): Promise<string> {
  for (let attempt = 0; attempt < MAIL_TRIES; attempt++) {
    const response = await request.get(`${baseUrl()}/api/dev/outbox`);
    const { data } = (await response.json()) as { data: { to: string; link: string | null }[] };
    const link = data.find((mail) => mail.to === email)?.link;
    if (link) return link;
    await sleep(MAIL_WAIT_MS);
  }
  throw new Error(`No sign-in link was mailed to ${email}`);
}

/** A new account that has given its name, signed in on the project list or the setup page. */
export async function signInAsNewUser(page: Page, email: string): Promise<void> {
  await page.request.post(`${baseUrl()}/api/signup`, { data: { email } });
  await page.goto(await mailedLink(page.request, email));
}
