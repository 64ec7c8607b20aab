import { expect, test } from '@playwright/test';
import { openDemo } from './support/demo.ts';
import { baseUrl, expectAccessible } from './support/journeys.ts';

test('overview, prediction and plan name the same best lines by one index; strips filter, a row opens its passport', async ({
  page,
}) => {
  const demo = await openDemo(page);
  await page.goto(`${baseUrl()}${demo.project}`);
  const best = page.getByRole('region', { name: 'Best lines' });
  await expect(best.getByText(/^Index = −/)).toBeVisible();
  const [formula] = /Index = [^.]+(\.\d+ [^.]+)+/.exec(await best.innerText()) ?? [''];
  const first = await best.getByRole('listitem').first().locator('span').first().innerText();

  await page.goto(`${baseUrl()}${demo.project}/predictions/${demo.prediction}`);
  await expect(page.getByText(new RegExp(`the best by the index are ${first},`))).toBeVisible();
  await expect(page.getByText(formula.trim(), { exact: false }).first()).toBeVisible();
  const table = page.getByRole('table', { name: 'Ranking' });
  await expect(table.getByRole('row').nth(1)).toContainText(first);
  await expectAccessible(page);

  // The own record stands beside the breeding value, and a line without one says so.
  await page.getByLabel('Search individuals').fill('B103');
  await expect(table.getByRole('row').filter({ hasText: 'B103' })).toContainText('none');
  await table.getByText('B103', { exact: true }).click();
  const passport = page.getByRole('complementary', { name: 'Passport of the line' });
  await expect(passport.getByRole('heading', { name: 'B103' })).toBeVisible();
  await expect(page).toHaveURL(/line=B103/);
  await expect(passport.getByRole('link', { name: 'Open its page' })).toBeVisible();
  await page.getByLabel('Search individuals').fill('');

  // Dragging over a strip leaves the lines between its ends; ticks say how related the others are.
  const strip = page.getByRole('img', { name: /^Histogram of EarHT GEBV/ });
  await strip.scrollIntoViewIfNeeded();
  const box = await strip.boundingBox();
  if (!box) throw new Error('The strip has no place on the page');
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText(/^\d+ of 281 lines/)).toBeVisible();
  await table.getByRole('row').nth(1).getByRole('checkbox').check();
  await expect(table.getByRole('columnheader', { name: 'Kinship to chosen' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter on EarHT GEBV' }).click();
  await expect(page.getByText(/^\d+ of 281 lines/)).toBeHidden();

  await page.goto(`${baseUrl()}${demo.project}/crossingPlans/${demo.plan}`);
  await page.getByRole('button', { name: 'All candidates…' }).click();
  const candidates = page.getByRole('dialog', { name: 'Candidates' });
  await expect(candidates.getByText(formula.trim(), { exact: false })).toBeVisible();
  await expect(candidates.getByRole('row').nth(1)).toContainText(first);
  await expect(candidates.getByText(/^Too related for its index, most to /).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  // Keeping a parent out moves gain and coancestry, which say by how much; letting it in again takes that back.
  const mean = page.locator('[data-facts] div').filter({ hasText: /^Mean of parents/ });
  const before = (await mean.textContent()) ?? '';
  await page
    .getByRole('button', { name: /^Keep .* out$/ })
    .first()
    .click();
  await expect(mean).toContainText(/[−-]\d/);
  await page.getByRole('button', { name: /^Let .* take part again$/ }).click();
  await expect(mean).toHaveText(before);
});
