import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { expectAccessible, signInWithProject, uploadFile } from './support/journeys.ts';

test(
  'what the numbers of a matrix mean is asked, confirmed, and can be changed',
  { tag: '@whole' },
  async ({ page }, info) => {
    await signInWithProject(page, 'coding', {});
    await page.getByRole('link', { name: 'Project Files' }).first().click();
    const path = info.outputPath('zero_one_genotypes.csv');
    const calls = (marker: number) =>
      Array.from({ length: 12 }, (_, line) => ((marker * 7 + line * 3) % 5 < 2 ? 1 : 0));
    const rows = Array.from({ length: 8 }, (_, marker) => [`m${marker}`, 1, 100 + marker, 'A', 'C', ...calls(marker)]);
    const header = ['marker', 'chrom', 'pos', 'REF', 'ALT', ...Array.from({ length: 12 }, (_, line) => `L${line}`)];
    await writeFile(path, [header, ...rows].map((row) => `${row.join(',')}\n`).join(''));
    await uploadFile(page, path, 'Genotype');
    const row = page.getByRole('row', { name: /zero_one_genotypes\.csv/ });
    await expect(row).toContainText('ready, with warnings', { timeout: 60_000 });
    await page.getByRole('link', { name: /zero_one_genotypes\.csv/ }).click();

    const question = page.getByRole('region', { name: 'What the numbers mean' });
    await expect(question.getByRole('radio')).toHaveCount(3);
    await expect(question.getByRole('radio', { name: /absent/ })).toBeChecked();
    await expect(page.getByText('W-GT-CODING')).toBeVisible();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(question).toContainText('Confirmed.');
    await expect(page.getByText('W-GT-CODING')).toBeHidden();

    await question.getByRole('button', { name: 'Change' }).click();
    await question.getByRole('radio', { name: /0, 1 and 2 are copies/ }).check();
    await question.getByRole('button', { name: 'Read the file this way' }).click();
    await expect(question).toContainText('0, 1 and 2 are copies of the counted allele', { timeout: 60_000 });
    await expect(question).toContainText('Confirmed.');
  },
);

test('a matrix below a title is read once it is said what its rows are', { tag: '@whole' }, async ({ page }, info) => {
  await signInWithProject(page, 'rows', {});
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  const path = info.outputPath('zuchtgarten_marker.csv');
  const lines = Array.from({ length: 12 }, (_, line) =>
    [`L${line}`, ...Array.from({ length: 8 }, (__, marker) => (marker * 7 + line * 3) % 3)].join(';'),
  );
  const header = ['Stamm', ...Array.from({ length: 8 }, (_, marker) => `m${marker}`)].join(';');
  await writeFile(path, ['Zuchtgarten Irlbach 2026;;;;;;;;', header, ...lines].join('\n'));
  await uploadFile(page, path, 'Genotype');
  await expect(page.getByRole('row', { name: /zuchtgarten_marker\.csv/ })).toContainText('invalid', {
    timeout: 60_000,
  });
  await page.getByRole('link', { name: /zuchtgarten_marker\.csv/ }).click();

  await expect(page.getByText('The header does not show whether rows are samples or markers.')).toBeVisible();
  const check = page.getByRole('button', { name: 'Apply and check again' });
  await expect(check).toBeDisabled();
  await page
    .getByRole('radiogroup', { name: 'The first column has the names of' })
    .getByLabel(/^samples/)
    .check();
  await expectAccessible(page);
  await check.click();
  const figures = page.locator('[data-facts]');
  await expect(figures.filter({ hasText: /Samples\s*12/ })).toBeVisible({ timeout: 60_000 });
  await expect(figures.filter({ hasText: /Markers\s*8/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'I-HEADER-ROW' })).toBeVisible();
});
