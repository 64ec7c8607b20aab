import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { fieldBook } from './support/brapi.ts';
import { countClicks } from './support/count-clicks.ts';
import { expectSound, signInWithProject } from './support/journeys.ts';
import { smallTrials } from './support/small-trials.ts';

test('a trial analysis: the maps, a plot set aside, another model, both runs, and the means for a model', async ({
  page,
}, info) => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  const path = info.outputPath('trials.csv');
  await writeFile(path, smallTrials());
  const { url, fileIds, projectId, call } = await signInWithProject(page, 'trials', { [path]: 'PHENOTYPE' });
  await page.goto(`${url}/files/${fileIds[0]}`);
  await page.getByRole('button', { name: 'Analyse trials' }).click();
  const dialog = page.getByRole('dialog', { name: 'Analyse trials' });
  await expect(dialog.getByRole('list', { name: 'Phenotype files' })).toContainText('trials.csv');
  await expect(dialog.getByText('2 trials')).toBeVisible();
  await dialog.getByLabel('Checks').fill('Line 1');
  await dialog.getByLabel('Checks').press('Enter');
  await dialog.getByRole('button', { name: 'Analyse trials' }).click();

  // The sentence, a row for each trial, and the maps of the first.
  await expect(page.getByText(/^Yield.*H²/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('table', { name: 'Trials' })).toContainText('Kiel');
  const maps = page.getByRole('application', { name: 'The field' });
  await expect(maps.locator('canvas').first()).toBeVisible();
  const plots = page.getByRole('table', { name: 'Plots' });
  await expect(plots.getByRole('row').nth(1)).toContainText('looks wrong');
  await expectSound(page, faults, 'a trial analysis');

  const older = page.url();
  // By key as by mouse: the plot that looks wrong is the 21st, in row 4 and column 3.
  await maps.focus();
  for (const key of ['Right', 'Right', 'Right', 'Down', 'Down', 'Down']) await page.keyboard.press(`Arrow${key}`);
  await expect(page.locator('[data-plot-note]')).toContainText('Row 4');
  await page.keyboard.press('Space');
  await expect(plots.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('Escape');
  const box = await maps.locator('canvas').first().boundingBox();
  if (!box) throw new Error('The map has no place on the page');
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.6, { steps: 3 });
  await page.mouse.up();
  await expect(page.getByLabel('Which plots')).toHaveValue('selected');

  await page.getByLabel('Which plots').selectOption('outliers');
  await plots.getByRole('checkbox').last().check();
  await page.getByRole('button', { name: 'Set 1 plot aside…' }).click();
  await page.getByLabel('Reason').fill('Written down wrongly');
  await page.getByRole('button', { name: 'Set aside', exact: true }).click();
  await page.getByLabel('Another model for Bonn').selectOption({ label: 'Spline surface (PSANOVA)' });
  const changes = page.getByRole('region', { name: 'Changes for the next run:' });
  await expect(changes).toContainText('1 plot set aside');
  await changes.getByRole('button', { name: 'Run again' }).click();

  await expect(page.getByRole('heading', { name: /\(again\)/ })).toBeVisible();
  await page.getByRole('button', { name: /^Compare with/ }).click({ timeout: 60_000 });
  const compared = page.getByRole('dialog');
  await expect(compared.getByRole('table', { name: 'Trials' }).getByRole('row', { name: /Bonn/ })).toContainText(
    'Spline surface (PSANOVA) · H²',
  );
  await expectSound(page, faults, 'two trial analyses side by side');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'All trials together' }).click();
  await expect(page.getByRole('heading', { name: 'A line across the trials' })).toBeVisible();
  await expectSound(page, faults, 'the series of a trial analysis');

  await page.getByRole('button', { name: 'Use the means' }).click();
  await page.getByRole('menuitem', { name: 'Train model' }).click();
  const train = page.getByRole('dialog', { name: 'Train model' });
  await expect(train.getByRole('combobox', { name: 'Phenotype file' })).toHaveValue(/^Means of/);
  // The best that the file has; standard errors have a column that was made for them.
  await expect(train.getByRole('radio', { name: 'Covariance' })).toBeChecked({ timeout: 30_000 });
  await train.getByText('Standard errors', { exact: true }).click();
  await expect(train.getByText('Yield SE for weights', { exact: true }).last()).toBeVisible();

  // The file of plots is opened as trials, one an environment.
  await page.goto(`${url}/files/${fileIds[0]}`);
  await page.getByRole('button', { name: 'Open file as trials' }).click();
  const open = page.getByRole('dialog', { name: 'Open file as trials' });
  await open.getByLabel('Season').fill('2025');
  await open.getByRole('button', { name: 'Open file as trials' }).click();
  await expect(page.getByRole('link', { name: 'trials Kiel' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'trials Bonn' })).toBeVisible();
  await expectSound(page, faults, 'trials that were opened from a file');

  // What the newest analysis of the file finds wrong stands on the map of the trial, with the way back to it.
  await page.getByRole('link', { name: 'trials Bonn' }).click();
  const wrong = page.getByRole('list', { name: 'What looks wrong' });
  await expect(wrong).toContainText('Yield: 1 plot was set aside.');
  await wrong.getByRole('button', { name: 'Show the plots' }).click();
  await expect(page.getByRole('table', { name: 'Plots' }).getByRole('row').nth(1)).toContainText(
    'Yield: Set aside: Written down wrongly.',
  );
  await expectSound(page, faults, 'the map of a trial with what looks wrong');
  await wrong.getByRole('link').click();
  await expect(page).toHaveURL(/trialAnalyses\/.*environment=Bonn/);

  // From the series to a closed decision with reasons, and on to a design.
  const clicks = await countClicks(page);
  await page.reload();
  await page.getByRole('button', { name: 'Decide' }).click();
  const begin = page.getByRole('dialog', { name: 'New decision' });
  await expect(begin.getByLabel('Name of the decision')).toHaveValue(/\(again\)$/, { timeout: 15_000 });
  await begin.getByRole('button', { name: 'Start the meeting' }).click();
  const board = page.getByRole('table', { name: 'Lines' });
  await expect(board.getByRole('row')).toHaveCount(25);
  await page.getByRole('button', { name: 'Mark the best' }).click();
  await page.getByLabel('Reason').fill('Yield in both places');
  await page.getByRole('button', { name: 'Mark them' }).click();
  await expect(page.getByText('10 advance, 0 on hold, 14 dropped', { exact: false })).toBeVisible();
  await expectSound(page, faults, 'an open decision');
  // A key marks the line that has the focus.
  await board.getByRole('row').nth(1).getByRole('button').first().focus();
  await page.keyboard.press('h');
  await expect(page.getByText('9 advance, 1 on hold, 14 dropped', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Close decision' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close decision' }).click();
  await expect(page.getByText('9 of 24 lines advanced', { exact: false })).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(8);
  await expectSound(page, faults, 'a closed decision');
  await page.getByRole('link', { name: 'Design a trial' }).click();
  const names = page.getByLabel('Names', { exact: true });
  await expect(names).toHaveValue(/^Line /);
  // A click more saves it, where the germplasm list has the lines.
  expect(clicks()).toBeLessThanOrEqual(9);
  const advanced = (await names.inputValue()).split('\n');
  await fieldBook(
    page,
    '/germplasm',
    advanced.map((germplasmName) => ({ germplasmName, commonCropName: 'Maize' })),
  );
  await page.getByRole('radio', { name: /^Complete blocks/ }).click();
  await page.getByRole('combobox', { name: 'Places' }).fill('Kiel');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-design-state="whole"]')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Save trial' }).click();
  await expect(page).toHaveURL(/trials\/[0-9a-f-]+$/);
  const saved = new URL(page.url()).pathname.split('/').at(-1);
  const { entries } = await call('GET', `/projects/${projectId}/trials/${saved}/plots`);
  expect(entries.map(({ name }: { name: string }) => name).toSorted()).toEqual(advanced.toSorted());

  // The table of an older analysis takes the newest runs; a line is opened, and somebody told of it, by keys alone.
  await page.goto(older);
  await page.getByRole('button', { name: 'Decide' }).click();
  await begin.getByRole('button', { name: 'Start the meeting' }).click();
  await expect(board.getByRole('row')).toHaveCount(25);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Take the newest runs' }).click();
  await expect(page.getByText(/put newer runs on the table on/)).toBeVisible();
  await board.getByRole('row').nth(1).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  const passport = page.getByRole('complementary', { name: 'Line passport' });
  const reason = passport.getByLabel('Reason');
  await reason.focus();
  await page.keyboard.type('=1+1 <script>alert(1)</script> @');
  await expect(page.getByRole('listbox', { name: 'Members of the project' }).getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(reason).toHaveValue(/@.+ $/);
  await passport.getByRole('button', { name: 'Hold', exact: true }).first().focus();
  await page.keyboard.press('Enter');
  // What was typed is text wherever it is shown.
  await expect(passport.getByText('=1+1 <script>alert(1)</script> @', { exact: false }).first()).toBeVisible();
  await expectSound(page, faults, 'the passport beside a decision');
});
