import { expect, test } from '@playwright/test';
import { countClicks } from '../support/count-clicks.ts';
import { openDemo } from '../support/demo.ts';
import { baseUrl, expectAccessible, GENOTYPES, mailedLink, PHENOTYPES } from '../support/journeys.ts';

test('a visitor is at the Manhattan plot of the demo in two clicks, and is asked to sign in by what would write', async ({
  page,
  browser,
}) => {
  const owner = await (await browser.newContext()).newPage();
  const demo = await openDemo(owner);
  await owner.context().close();

  const clicks = await countClicks(page);
  await page.goto(baseUrl());
  await page.getByRole('button', { name: 'Open the demo' }).click();
  await page.locator('main a[href*="/gwas/"]').first().click();
  await expect(page.getByRole('heading', { name: /^Manhattan plot/ })).toBeVisible();
  await expectAccessible(page);
  expect(clicks()).toBeLessThanOrEqual(2);
  await page.getByRole('button', { name: 'What does this mean?' }).first().hover();
  await expect(page.getByRole('tooltip')).toContainText('Near 1, relatedness is accounted for');

  // A plan of crosses moves, and nothing of it is sent.
  await page.goto(`${baseUrl()}${demo.project}/crossingPlans/${demo.runs.crossing_plan}`);
  await page.getByLabel('Crosses', { exact: true }).fill('12');
  await expect(page.getByRole('heading', { name: /crosses/i }).first()).toBeVisible();

  await page.goto(`${baseUrl()}${demo.project}/lists`);
  await expect(page.getByText('You are looking at the demo as a guest')).toBeVisible();
  await page.goto(`${baseUrl()}${demo.project}/storage`);
  await page.getByRole('button', { name: 'Add folder' }).click();
  await page.getByLabel('Folder name').fill('Of a guest');
  await page.getByRole('dialog').getByRole('button', { name: 'Add folder' }).click();
  const asked = page.getByRole('dialog', { name: 'Sign in to do this' });
  await expect(asked).toBeVisible();
  await expect(asked.getByLabel('E-mail address')).toBeVisible();
  await expectAccessible(page);
});

test('a tour of the demo has seven stops with a sentence each', { tag: '@whole' }, async ({ page, browser }) => {
  const owner = await (await browser.newContext()).newPage();
  await openDemo(owner);
  await owner.context().close();
  await page.goto(`${baseUrl()}/help`);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  const tour = page.getByRole('region', { name: 'Tour' });
  const titles = [];
  for (let stop = 1; stop <= 7; stop++) {
    await expect(tour).toContainText(`Stop ${stop} of 7`);
    titles.push(await tour.getByRole('heading').textContent());
    if (stop === 1) await expectAccessible(page);
    if (stop < 7) await tour.getByRole('button', { name: 'Next' }).click();
  }
  expect(new Set(titles).size).toBe(7);
  await tour.getByRole('button', { name: 'Done' }).click();
  await expect(tour).toBeHidden();
});

test('from the start page to a heat map of own data in nine clicks, and a colleague sees it in three', {
  tag: '@whole',
}, async ({ page, browser }) => {
  test.setTimeout(300_000);
  const email = `petra-${Date.now()}@example.org`;
  const clicks = await countClicks(page);
  const begun = Date.now();
  await page.goto(baseUrl());
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Request' }).click();
  await page.goto(await mailedLink(page.request, email));
  await page.getByLabel('First name').fill('Petra');
  await page.getByLabel('Last name').fill('Breeder');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Organization name').fill('Acme Breeding');
  await page.getByRole('button', { name: 'Create organization' }).click();
  const project = page.getByRole('dialog');
  await project.getByLabel('Crop').fill('Maize');
  await project.getByLabel('Project name').fill('First project');
  await project.getByRole('button', { name: 'Create project' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chooser).setFiles([GENOTYPES, PHENOTYPES]);
  await page.getByRole('region', { name: 'First steps' }).getByRole('link', { name: 'genotypes.vcf.gz' }).click();
  await page.getByRole('tab', { name: 'Structure' }).click();
  await expect(page.getByRole('heading', { name: /Kinship/ })).toBeVisible();
  console.log(`from the start page to the heat map: ${clicks()} clicks, ${Math.round((Date.now() - begun) / 1000)} s`);
  // The mailed link is one as well.
  expect(clicks() + 1).toBeLessThanOrEqual(9);

  await page.getByRole('link', { name: 'Project Overview' }).click();
  await page.getByRole('button', { name: /^Analyse 3 traits/ }).click();
  await expect(page.getByText('Predictive ability')).toBeVisible({ timeout: 60_000 });
  const colleague = `jonas-${Date.now()}@example.org`;
  await page.getByLabel('Invite a colleague').fill(colleague);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByText(`${colleague} has been invited`)).toBeVisible();
  await expectAccessible(page);

  // Who types the invited address on the start page gets the link too, and is not asked to register.
  const typed = await (await browser.newContext()).newPage();
  const mailed = await mailedLink(typed.request, colleague);
  // Pictures keep their place until they are there.
  await typed.route(/\.webp/, () => undefined);
  await typed.goto(baseUrl());
  const picture = typed.getByRole('listitem').getByRole('img').first();
  await picture.scrollIntoViewIfNeeded();
  expect((await picture.boundingBox())?.height).toBeGreaterThan(100);
  expect(await picture.evaluate((one) => getComputedStyle(one).backgroundColor)).not.toMatch(/, 0\)$|transparent/);
  await typed.getByLabel('E-mail address').fill(colleague);
  await typed.keyboard.press('Enter');
  await expect(typed.getByRole('dialog')).toContainText('A log-in URL has been sent to your email');
  expect(await mailedLink(typed.request, colleague, mailed)).not.toBe(mailed);
  await typed.context().close();

  const jonas = await (await browser.newContext()).newPage();
  const steps = await countClicks(jonas);
  await jonas.goto(mailed);
  await jonas.getByLabel('First name').fill('Jonas');
  await jonas.getByLabel('Last name').fill('Breeder');
  await jonas.getByRole('button', { name: 'Continue' }).click();
  await jonas.getByRole('button', { name: /^Accept/ }).click();
  await expect(jonas.getByText('Predictive ability')).toBeVisible({ timeout: 20_000 });
  expect(steps() + 1).toBeLessThanOrEqual(3);
  await jonas.context().close();

  // A model and a GWAS by hand: list, dialog, start.
  for (const [list, start] of [
    ['Models', 'Train model'],
    ['GWAS', 'Run GWAS'],
  ] as const) {
    await page.getByRole('link', { name: 'Project Overview' }).click();
    const before = clicks();
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: list }).click();
    await page.getByRole('button', { name: start }).first().click();
    const dialog = page.getByRole('dialog').first();
    await dialog.getByRole('button', { name: start }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/(?:models|gwas)\/[0-9a-f-]{36}/);
    expect(clicks() - before, start).toBeLessThanOrEqual(4);
  }
});
