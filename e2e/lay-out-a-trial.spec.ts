import type { TrialPlots } from '@heterosis/contracts/data/trials';
import type { DesignRequest } from '@heterosis/statgen/designs/design-types';
import { makeDesign } from '@heterosis/statgen/designs/make-design';
import { workbookOf } from '@heterosis/test-support/workbook';
import { expect, test } from '@playwright/test';
import { openDemo } from './support/demo.ts';
import { droppedFile } from './support/dropped-file.ts';
import { baseUrl, expectAccessible } from './support/journeys.ts';

const LINES = ['A619', 'A632', 'B14A', 'B37', 'B73', 'B84', 'C103', 'H95', 'MO17', 'OH43', 'B14', 'A634'];

test('a trial is laid out by a picture of its design, changed on its map, saved, sown and swapped', async ({
  page,
}) => {
  const { project } = await openDemo(page);
  await page.goto(`${baseUrl()}${project}/trials`);
  await page.getByRole('link', { name: 'New trial' }).click();
  const save = page.getByRole('button', { name: 'Save trial' });
  await expect(save).toBeDisabled();

  // A map from names alone; numbers that make no design say what to change.
  await page.getByLabel('Names', { exact: true }).fill([...LINES, 'Zz-unheard'].join('\n'));
  await expect(page.getByText('The germplasm list lacks Zz-unheard.', { exact: false })).toBeVisible();
  // All of the germplasm list, and then the entries of a workbook that is dropped.
  const names = page.getByLabel('Names', { exact: true });
  await page.getByRole('button', { name: 'All germplasm' }).click();
  await expect(names).toHaveValue(/^[^]{500,}$/);
  const workbook = workbookOf([['entry', 'yield'], ...LINES.map((line) => [line, '5'])]);
  await names.dispatchEvent('drop', { dataTransfer: await droppedFile(page, 'lines.xlsx', workbook) });
  await expect(names).toHaveValue(LINES.join('\n'));
  await expect(page.getByText('The germplasm list lacks', { exact: false })).toHaveCount(0);

  // How many replicates are worth their cost, from variances of an analysis or as typed.
  await page.getByRole('button', { name: 'How many plots and places?' }).click();
  const sizes = page.getByRole('dialog', { name: 'How many plots and places' });
  await sizes
    .getByLabel('Variances from an analysis of trials')
    .selectOption({ label: 'Hybrids in six counties: Yield' });
  await expect(sizes.getByLabel('Variance of lines')).not.toHaveValue('');
  for (const [label, value] of Object.entries({ 'Variance of lines': '4', 'Of lines × places': '2', 'Of plots': '8' }))
    await sizes.getByLabel(label).fill(value);
  await sizes.getByLabel('Cost of a place').fill('15');
  await expectAccessible(page);
  // 4 / (4 + 2 + 8 / 2) has the root 0.632.
  const worth = sizes.getByRole('row').filter({ hasText: '0.632' });
  await worth.getByRole('button', { name: 'Use places 1, replicates 2' }).click();
  await expect(sizes).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Replicates' })).toHaveValue('2');

  const figures = page.locator('[data-design-figures]');
  await expect(figures).toContainText('Efficiency factor');
  await page.getByLabel('Plots of a block').fill('5');
  await expect(page.getByRole('alert')).toContainText(
    '12 entries do not divide into blocks of 5. Choose “Plots of a block” 4 or “Plots of a block” 6',
  );
  await page.getByLabel('Plots of a block').fill('4');
  await expect(figures).toContainText('6 rows × 4 columns');
  const augmented = page.getByRole('radio', { name: 'Augmented' });
  await expect(augmented).toHaveAttribute('data-impossible', 'true');
  await expect(augmented).toContainText('there are none');

  // The field is too small, and then has a border.
  await page.getByRole('textbox', { name: 'Rows' }).fill('5');
  await page.getByRole('textbox', { name: 'Columns' }).fill('4');
  await expect(page.getByRole('alert')).toContainText('The design needs 24 plots, and the field of 5 × 4 has 20');
  await page.getByRole('textbox', { name: 'Rows' }).fill('8');
  await page.getByRole('textbox', { name: 'Columns' }).fill('6');
  await page.getByLabel('Borders').selectOption('all');
  await page.getByLabel('Names of plots').fill('{place}-{plot:3}');
  await page.getByLabel('Name', { exact: true }).fill('Hybrids under drought');
  await page.getByRole('combobox', { name: 'Places' }).fill('Bonn');
  await page.keyboard.press('Enter');

  // Two plots change places by the keyboard, once the search has ended.
  await expect(page.locator('[data-design-state="whole"]')).toBeVisible({ timeout: 60_000 });
  const map = page.getByRole('application', { name: 'Map of Bonn' });
  await map.focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', ' ', 'ArrowRight', ' ']) await page.keyboard.press(key);
  await expect(page.getByRole('button', { name: 'Undo the swap' })).toBeVisible();
  await expectAccessible(page);
  const created = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/trials'),
  );
  const answer = page.waitForResponse((response) => response.url().endsWith('/plots'));
  await save.click();
  await expect(page.getByRole('heading', { name: 'Hybrids under drought' })).toBeVisible();

  // What was saved is what the command line makes of the same request, but for the swap.
  const plots = (await (await answer).json()) as TrialPlots;
  const { data } = (await (await created).json()) as { data: [{ design: { request: unknown } }] };
  const { design } = data[0];
  const { swaps, ...request } = design.request as DesignRequest & { swaps: Record<string, [number, number][]> };
  const made = makeDesign(request).plots;
  const expected = made.map(({ entry }) => entry);
  const [[one, other] = [0, 0]] = swaps['0'] ?? [];
  [expected[one - 1], expected[other - 1]] = [expected[other - 1] ?? null, expected[one - 1] ?? null];
  expect(one).not.toBe(other);
  expect(plots.entry.map((place) => (place === null ? null : plots.entries[place]?.name))).toEqual(
    expected.map((place) => (place === null ? null : LINES[place])),
  );
  expect(plots.name[0]).toBe('Bonn-001');

  // A draft is laid out anew, with the numbers that it was made of. A search that has ended is found again.
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Lay out anew' }).click();
  await expect(names).toHaveValue(LINES.join('\n'));
  const whole = page.locator('[data-design-state="whole"]');
  await expect(whole).toBeVisible({ timeout: 60_000 });
  await page.getByLabel('Seed').fill('7');
  await expect(whole).toBeVisible({ timeout: 60_000 });
  await page.getByLabel('Seed').fill('70');
  await expect(page.locator('[data-design-state="short"]')).toBeVisible();
  await page.getByLabel('Seed').fill('7');
  await expect(whole).toBeVisible({ timeout: 300 });

  // Checks stand where they are named on the map; too many named plots are told, and forgotten again.
  const checks = page.getByRole('combobox', { name: 'Checks', exact: true });
  await checks.fill('MO17');
  await page.keyboard.press('Enter');
  await expect(whole).toBeVisible({ timeout: 60_000 });
  await page.getByText('Select', { exact: true }).click();
  await page.getByRole('application', { name: /^Map/ }).focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', ' ', 'ArrowRight', ' ']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Checks here' }).click();
  await expect(page.getByRole('alert')).toContainText('named plots for');
  await page.getByRole('button', { name: /^Forget the/ }).click();
  await checks.press('Backspace');
  await expect(whole).toBeVisible({ timeout: 60_000 });
  const layouts = page.waitForResponse((response) => response.url().endsWith('/layout'));
  await page.getByRole('button', { name: 'Save layout' }).click();
  expect((await (await layouts).json()).design.request.seed).toBe(7);
  await expect(page.getByRole('heading', { name: 'Hybrids under drought' })).toBeVisible();

  // Sown, a swap stays possible and can be taken back in the history.
  await page.getByRole('button', { name: 'Mark as sown' }).click();
  await expect(page.getByText('Sown', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Place, dates and plot size' }).click();
  const details = page.getByRole('dialog', { name: 'Place, dates and plot size' });
  await details.getByLabel('Sown on').fill('2026-04-20');
  await details.getByLabel('Harvested on').fill('2026-04-02');
  await details.getByRole('button', { name: 'Save changes' }).click();
  await expect(details.getByText('The harvest is before the sowing.')).toBeVisible();
  await details.getByLabel('Harvested on').fill('2026-09-12');
  await details.getByLabel('Latitude').fill('50.723');
  await details.getByLabel('Longitude').fill('7.1');
  await details.getByRole('button', { name: 'Save changes' }).click();
  await expect(details).toHaveCount(0);
  await page.getByRole('button', { name: /^All \d+ facts$/ }).click();
  await expect(page.locator('[data-facts]')).toContainText(/Sown onApr 20, 2026.*50.723° N, 7.1° E/);
  await page.getByRole('button', { name: 'Add Hybrids under drought to favourites' }).click();
  await page.getByText('Swap', { exact: true }).click();
  await page.getByRole('application', { name: 'Map' }).focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', ' ', 'ArrowRight', ' ']) await page.keyboard.press(key);
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText(/^Swapped: plots/)).toBeVisible();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByText('Swap taken back', { exact: false }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Trials', exact: true }).first().click();
  await expect(page.getByRole('link', { name: 'Hybrids under drought' })).toBeVisible();
});
