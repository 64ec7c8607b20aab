import { expect, type Page, test } from '@playwright/test';
import { signInWithProject } from './support/journeys.ts';

/** As Ctrl V does it, outside of fields. */
const paste = (page: Page, text: string) =>
  page.evaluate((cells) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', cells);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test('cells of a spreadsheet become a file, lines of the germplasm, or a list', { tag: '@whole' }, async ({ page }) => {
  const { url } = await signInWithProject(page, 'paste', {});
  const dialog = page.getByRole('dialog');
  // The part of the frame that hears of it comes a moment after the page.
  await expect(async () => {
    await paste(page, 'female\tmale\tnumber\r\nB73\tMo17\t20\r\nA188\tMo17\t\r\n');
    await expect(dialog).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(dialog.getByLabel(/^Type of/)).toHaveValue('CROSSING_TABLE');
  await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
  await expect(dialog).toBeHidden();
  // The upload is under way: by the link, not by a new page.
  await page.getByRole('link', { name: 'Project Files' }).click();
  await page.getByRole('link', { name: /Pasted table/ }).click();
  await expect(page.getByRole('heading', { name: /Pasted table/ })).toBeVisible();

  // A sentence is no table.
  await paste(page, 'only a sentence');
  await expect(dialog).toHaveCount(0);

  await page.goto(`${url}/germplasm`);
  await expect(page.getByRole('button', { name: 'Upload germplasm' }).first()).toBeVisible();
  await paste(page, 'name\tcollection\nB73\tStiff stalk\nMo17\tLancaster\n');
  await dialog.getByRole('button', { name: 'Check', exact: false }).click();
  await expect(page.getByRole('cell', { name: 'Mo17' }).first()).toBeVisible();

  await page.goto(`${url}/lists`);
  await expect(page.getByRole('button', { name: 'New list of lines' })).toBeVisible();
  await paste(page, 'B73\r\nMo17\r\n');
  await expect(dialog.getByLabel('Lines')).toHaveValue(/B73\s+Mo17/);
  await dialog.getByLabel('Name of the list').fill('Pasted');
  await dialog.getByRole('button', { name: 'Save as list' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('cell', { name: 'Pasted' })).toBeVisible();

  // In the dialogs of crosses: a table that is checked, and lines that take part.
  await page.goto(`${url}/crossingSimulation?modal=create-crossing-simulation`);
  await expect(dialog.getByRole('button', { name: 'Paste crosses' })).toBeVisible();
  await paste(page, 'B73\tMo17\r\nA188\tMo17\r\n');
  await expect(dialog.getByLabel('Paste crosses')).toHaveValue(/A188\tMo17/);
  await dialog.getByRole('button', { name: 'Save as crossing table' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Paste crosses' })).toBeHidden();
  await expect(dialog.getByRole('combobox', { name: 'Crossing table' })).toHaveValue('Pasted crosses.csv');
  await page.goto(`${url}/crossingPlans?modal=create-crossing-plan`);
  await dialog.getByRole('button', { name: 'Paste lines' }).click();
  await dialog.getByRole('textbox', { name: 'Paste lines' }).fill('B73\nMo17\nA188');
  await dialog.getByRole('button', { name: 'Take these lines' }).click();
  await expect(dialog.getByText('3 individuals of pasted.')).toBeVisible();
});
