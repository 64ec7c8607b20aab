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

  await page.goto(`${baseUrl()}${demo.project}/predictions/${demo.runs.prediction}`);
  await expect(page.getByText(new RegExp(`the best by the index are ${first},`))).toBeVisible();
  await expect(page.getByText(formula.trim(), { exact: false }).first()).toBeVisible();
  const table = page.getByRole('table', { name: 'Ranking' });
  await expect(table.getByRole('row').nth(1)).toContainText(first);
  await expectAccessible(page);

  // The own record stands beside the breeding value, and a line without one says so.
  await page.getByLabel('Search individuals').fill('B103');
  await expect(table.getByRole('row').filter({ hasText: 'B103' })).toContainText('none');
  await table.getByText('B103', { exact: true }).click();
  const passport = page.getByRole('complementary', { name: 'Line passport' });
  await expect(passport.getByRole('heading', { name: 'B103' })).toBeVisible();
  await expect(page).toHaveURL(/line=B103/);
  await expect(passport.getByRole('link', { name: 'B103' })).toBeVisible();
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

  await page.goto(`${baseUrl()}${demo.project}/crossingPlans/${demo.runs.crossing_plan}`);
  await page.getByRole('button', { name: 'All candidates…' }).click();
  const candidates = page.getByRole('dialog', { name: 'Candidates' });
  await expect(candidates.getByText(formula.trim(), { exact: false })).toBeVisible();
  await expect(candidates.getByRole('row').nth(1)).toContainText(first);
  await expect(candidates.getByText(/^Too related for its index, most to /).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  // The slider of the cap is the axis of the curve, without a dead part.
  const slider = page.getByRole('slider', { name: 'Cap on group coancestry' });
  const [least, most] = [await slider.getAttribute('aria-valuemin'), await slider.getAttribute('aria-valuemax')].map(
    Number,
  );
  expect(least).toBeGreaterThan(0);
  expect(most).toBeLessThan(0.2);

  // A parent that is dragged out moves gain and coancestry, which say by how much; Enter on it takes that back.
  const figure = (name: RegExp) => page.locator('[data-facts] div').filter({ hasText: name });
  const mean = figure(/^Mean of parents/);
  const coancestry = figure(/^Group coancestry/);
  const before = [await mean.innerText(), await coancestry.innerText()];
  const keptOut = page.getByRole('region', { name: 'Kept out' });
  const parent = page.getByRole('button', { name: /^Keep .* out$/ }).first();
  const name = ((await parent.getAttribute('aria-label')) ?? '').replace(/^Keep (.*) out$/, '$1');
  await parent.dragTo(keptOut);
  const back = keptOut.getByRole('button', { name: `Let ${name} take part again` });
  await expect(back).toBeVisible();
  await expect(mean).toContainText(/[+−-]\d/);
  await expect(coancestry).toContainText(/[+−-]\d/);
  await back.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Keep ${name} out` })).toBeFocused();
  await expect(mean).toHaveText(before[0] ?? '', { useInnerText: true });
  await expect(coancestry).toHaveText(before[1] ?? '', { useInnerText: true });
  // By keyboard both ways, and by mouse back.
  await page.keyboard.press('Enter');
  await expect(back).toBeFocused();
  await back.dragTo(page.getByRole('region', { name: /^\d+ parents$/ }));
  await expect(page.getByRole('button', { name: `Keep ${name} out` })).toBeVisible();
  await expect(mean).toHaveText(before[0] ?? '', { useInnerText: true });
});

test('traits are weighed in the line of the formula, and the lines rank anew', { tag: '@whole' }, async ({
  page,
  browser,
}) => {
  const demo = await openDemo(page);
  const address = `${baseUrl()}${demo.project}/predictions/${demo.runs.prediction}`;
  await page.goto(address);
  const table = page.getByRole('table', { name: 'Ranking' });
  const formula = page.getByText(/^Index = /).first();
  await expect(formula).toBeVisible();
  const before = await formula.innerText();
  const first = await table.getByRole('row').nth(1).innerText();
  await page.getByRole('button', { name: 'Change weights' }).click();
  const weight = page.getByLabel('Weight of EarHT');
  await expect(weight).toBeFocused();
  const asked = await weight.inputValue();
  await weight.fill('1001');
  await expect(page.getByRole('button', { name: 'Rank' })).toBeDisabled();
  await weight.fill('0');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Change weights' })).toBeFocused();
  await expect(formula).not.toHaveText(/EarHT/);
  await expect(table.getByRole('row').nth(1)).not.toHaveText(first, { useInnerText: true });
  await page.getByRole('button', { name: 'Change weights' }).click();
  await weight.fill(asked);
  await page.keyboard.press('Enter');
  await expect(formula).toHaveText(before, { useInnerText: true });

  // A guest of the demo is told what signing in gives.
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(baseUrl());
  await guest.getByRole('button', { name: 'Open the demo' }).click();
  await expect(guest.getByRole('heading', { level: 1, name: 'Maize diversity panel' })).toBeVisible();
  await guest.goto(address);
  await expect(guest.getByText(before)).toBeVisible();
  await guest.getByRole('button', { name: 'Change weights' }).click();
  await guest.getByLabel('Weight of EarHT').fill('2');
  await guest.keyboard.press('Enter');
  await expect(guest.getByRole('dialog', { name: 'Sign in to do this' })).toBeVisible();
  await guest.context().close();
});
