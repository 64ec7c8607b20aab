import { expect, type Locator, type Page, test } from '@playwright/test';
import { openDemo } from '../support/demo.ts';
import { baseUrl, expectAccessible, isWhole } from '../support/journeys.ts';

/** Ways for a text to arrive in a field that has the focus and whose content is selected. */
const WAYS: Record<string, (page: Page, text: string, field: Locator) => Promise<void>> = {
  typed: (page, text) => page.keyboard.type(text),
  pasted: async (page, text) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press('ControlOrMeta+V');
  },
  'inserted at once': (page, text) => page.keyboard.insertText(text),
  'composed by an input method': async (page, text) => {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await devTools.send('Input.insertText', { text });
  },
  'filled in by the browser': (_, text, field) =>
    field.evaluate((input: HTMLInputElement, filled) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, filled);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, text),
};

async function bring(page: Page, way: string, text: string, field: Locator): Promise<void> {
  await field.click();
  await field.press('ControlOrMeta+A');
  await WAYS[way]?.(page, text, field);
}

test('a decimal comma is one however it arrives, and separators of thousands are asked about', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const demo = await openDemo(page);
  await page.goto(`${baseUrl()}${demo.project}/gwas?modal=create-gwas`);
  const dialog = page.getByRole('dialog').first();
  const maf = dialog.getByLabel('MAF ≥');
  for (const way of isWhole ? Object.keys(WAYS) : ['typed', 'pasted']) {
    for (const [text, number] of [
      ['0,0375', '0.0375'],
      ['０，４', '0.4'],
      [' 0,25', '0.25'],
    ] as const) {
      await bring(page, way, text, maf);
      await maf.blur();
      await expect(maf, `${text} ${way}`).toHaveValue(number);
      await expect(maf).not.toHaveAttribute('aria-invalid', 'true');
    }
    // What is no number stays, with its error.
    await bring(page, way, '0,1,2', maf);
    await maf.blur();
    await expect(maf, way).toHaveValue('0,1,2');
    await expect(dialog.getByText('Enter a number from 0 to 0.5.'), way).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Run GWAS' })).toBeDisabled();
  }

  // A text dragged from another field, on a screen that shows both.
  await page.setViewportSize({ width: 1280, height: 1800 });
  await maf.fill('');
  await dialog.locator('summary', { hasText: 'Leave out' }).click();
  const names = dialog.getByRole('textbox', { name: 'Individuals to leave out' });
  await names.fill('0,125');
  await names.press('ControlOrMeta+A');
  await maf.scrollIntoViewIfNeeded();
  await names.dragTo(maf, { sourcePosition: { x: 20, y: 18 } });
  await maf.blur();
  await expect(maf).toHaveValue('0.125');

  // Only one number is possible among whole numbers, and it is still asked about.
  const permutations = dialog.getByLabel('Permutations');
  await bring(page, 'pasted', '2.500', permutations);
  await expect(dialog.getByText('Is this number meant?')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Run GWAS' })).toBeDisabled();
  await dialog.getByRole('button', { name: '2500' }).click();
  await expect(permutations).toHaveValue('2500');
  await permutations.press('ArrowUp');
  await expect(permutations).toHaveValue('2600');
});

test('a weight that is pasted with a decimal comma keeps its size in the plan', { tag: '@whole' }, async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const demo = await openDemo(page);
  await page.goto(`${baseUrl()}${demo.project}/crossingPlans/${demo.runs.crossing_plan}`);
  const weight = page.getByLabel(/^Weight: /).first();
  const mean = page.locator('[data-facts] div').filter({ hasText: /^Mean of parents/ });
  const shownFor = async (text: string): Promise<string> => {
    const before = (await mean.textContent()) ?? '';
    await weight.fill(text);
    await expect(mean).not.toHaveText(before);
    return (await mean.textContent()) ?? '';
  };
  await shownFor('644');
  const small = await shownFor('0.0644');
  for (const way of Object.keys(WAYS)) {
    await shownFor('644');
    await bring(page, way, '0,0644', weight);
    await expect(mean, way).toHaveText(small);
  }

  // The plan stays as it was until the question is answered.
  for (const [text, choice] of [
    ['1.234', '1.234'],
    ['1,234', '1234'],
    ['1 234,5', '1234.5'],
  ] as const) {
    const before = (await mean.textContent()) ?? '';
    await bring(page, 'pasted', text, weight);
    await weight.blur();
    await expect(page.getByText(/^(Which|Is this) number/)).toBeVisible();
    await expect(mean).toHaveText(before);
    await expectAccessible(page);
    await page.getByRole('button', { name: choice, exact: true }).click();
    await expect(weight).toHaveValue(choice);
    await expect(mean).not.toHaveText(before);
  }
});
