import { expect, test } from '@playwright/test';
import { openDemo } from './support/demo.ts';
import { baseUrl } from './support/journeys.ts';

test('a breeder compares two schemes on the lines of the project', { tag: '@whole' }, async ({ page }) => {
  test.setTimeout(240_000);
  const { project } = await openDemo(page);
  await page.goto(`${baseUrl()}${project}/programmes?modal=create-programme`);
  const dialog = page.getByRole('dialog', { name: 'Simulate a programme' });
  await expect(dialog.getByText('In each cycle, 5 times')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add a scheme' }).click();
  await page.getByRole('menuitem', { name: 'Genomic selection, two stages' }).click();
  await expect(dialog.getByText('Train the model')).toHaveCount(2);

  // More than there are is refused as it is typed.
  const selected = dialog.getByLabel('Selected').nth(1);
  await selected.fill('5000');
  await expect(dialog.getByText('There are 300 candidates', { exact: true })).toBeVisible();
  await selected.fill('60');
  await dialog.getByLabel('Replicates', { exact: true }).first().fill('20');
  await dialog.getByText('From a guess').click();
  await dialog.getByRole('button', { name: 'Simulate a programme' }).click();
  await expect(page.getByRole('heading', { name: 'By year' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('Over 20 of 20 replicates.')).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(/ − .* in year/)).toBeVisible();

  // The same scheme with other numbers, within the budget of a cycle.
  await page.goto(`${baseUrl()}${project}/programmes?modal=create-programme`);
  await expect(dialog.getByText('In each cycle, 5 times')).toBeVisible();
  await dialog.getByText('From a guess').click();
  await dialog.getByLabel('Search the numbers that gain most').check();
  await expect(dialog.getByText('Type the budget of a cycle.')).toBeVisible();
  await dialog.getByLabel('Budget of a cycle').fill('300');
  await expect(dialog.getByText(/The smallest numbers cost/)).toBeVisible();
  await dialog.getByLabel('Budget of a cycle').fill('40000');
  await dialog.getByLabel('Evaluations').fill('30');
  await dialog.getByLabel('Replicates of each').fill('2');
  await dialog.getByRole('button', { name: 'Simulate a programme' }).click();
  await expect(page.getByRole('heading', { name: 'The best numbers' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('heading', { name: 'What the next 1,000 buys' }).first()).toBeVisible();
});

test('a simulated programme is started in the field: lists, decisions and dates of its steps', {
  tag: '@whole',
}, async ({ page }) => {
  test.setTimeout(240_000);
  const {
    project,
    runs: { programme },
  } = await openDemo(page);
  const address = `${baseUrl()}${project}/programmes/${programme}`;
  await page.goto(address);
  const plan = page.getByRole('region', { name: 'In the field' });
  // The demo has it started; it is stopped and begun anew.
  await plan.getByRole('button', { name: 'More about the plan' }).click();
  await page.getByRole('menuitem', { name: 'Stop the plan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the plan' }).click();
  await plan.getByRole('button', { name: 'Start this' }).click();
  const start = page.getByRole('dialog', { name: 'Start this' });
  await start.getByLabel('First day of the first season').fill('');
  await expect(start.getByText('Give a day.')).toBeVisible();
  await start.getByLabel('First day of the first season').fill('2027-03-01');
  await start.getByRole('button', { name: 'Start this' }).click();
  await expect(plan.getByText('One, since')).toBeVisible();
  await expect(plan.getByText('Trial of 12 lines: environments 2, replicates 2, plots 48').first()).toBeVisible();
  await expect(plan.getByText(/above the founders/).first()).toBeVisible();

  // A list is two clicks away, and so is what the project has already.
  const crosses = plan.getByRole('listitem').filter({ hasText: '3 crosses, 3 plants: F1' }).first();
  await crosses.getByRole('button', { name: /^More about/ }).click();
  await page.getByRole('menuitem', { name: 'Keep the parents as a list' }).click();
  await expect(crosses.getByRole('link', { name: /C1 F1 parents$/ })).toBeVisible();

  // A trial of lines that do not exist yet names them first.
  const trial = plan.getByRole('listitem').filter({ hasText: 'Trial of 12 lines' }).first();
  await trial.getByRole('button', { name: 'Design the trial' }).click();
  const lines = page.getByRole('dialog', { name: 'Add the lines to come' });
  await lines.getByLabel('Names of the lines').fill('New-{number:2}');
  await lines.getByRole('button', { name: 'Add the lines' }).click();
  await expect(page.getByRole('textbox', { name: 'Names', exact: true })).toHaveValue(/^New-01\nNew-02\n/);
  await expect(page.getByText('The germplasm list lacks')).toHaveCount(0);
  await page.goto(address);
  await expect(trial.getByRole('button', { name: 'Design the trial' })).toBeVisible();

  const selection = plan.getByRole('listitem').filter({ hasText: 'Select 3: parents' }).first();
  await selection.getByRole('button', { name: 'Link' }).click();
  await page.getByRole('dialog').getByLabel('What the project has of it').click();
  await page.getByRole('option', { name: 'Hybrids for next year' }).click();
  await expect(selection.getByRole('button', { name: /^Take off/ })).toHaveCount(1);
  await selection.getByRole('button', { name: /^Take off/ }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(selection.getByRole('button', { name: /^Take off/ })).toHaveCount(1);

  // What is made for a step is linked with it.
  await selection.getByRole('button', { name: 'Decide' }).click();
  const decision = page.getByRole('dialog', { name: 'New decision' });
  // The lines to come have no values yet.
  await decision.getByLabel('Candidates from').click();
  await page.getByRole('option', { name: 'Hybrids in six counties' }).click();
  await decision.getByLabel('Name of the decision').fill('Parents of cycle 2');
  await decision.getByRole('button').last().click();
  await expect(page.getByText('Linked with its step of the programme.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the programme' }).click();
  await expect(selection.getByRole('link', { name: 'Parents of cycle 2' })).toBeVisible();
  await expect(selection.getByText('The decision is open.').first()).toBeVisible();

  // Done, late, and taken back; a date moves what comes after it.
  await crosses.getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(crosses.getByRole('checkbox')).not.toBeChecked();
  await crosses.getByRole('button', { name: /^More about/ }).click();
  await page.getByRole('menuitem', { name: 'Date and note' }).click();
  await page.getByRole('dialog').getByLabel('Due').fill('2028-05-30');
  await page.getByRole('dialog').getByLabel('Note').fill('Frost in the crossing block');
  await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click();
  await expect(crosses.getByText('Frost in the crossing block')).toBeVisible();
  await page.reload();
  await expect(crosses.getByText('Frost in the crossing block')).toBeVisible();
});
