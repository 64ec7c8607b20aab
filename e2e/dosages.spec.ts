import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { expectAccessible, signInWithProject, uploadFile } from './support/journeys.ts';

test(
  'dosages beside calls are read when chosen, and an export that loses fractions says so',
  { tag: '@whole' },
  async ({ page }, info) => {
    await signInWithProject(page, 'dosages', {});
    await page.getByRole('link', { name: 'Project Files' }).first().click();
    const path = info.outputPath('imputed.vcf');
    // Two of the three markers have fractions, at 8 of 12 calls each.
    const calls = (marker: number) =>
      Array.from({ length: 12 }, (_, line) => (marker === 1 || line % 3 === 0 ? 1 : 0.4));
    const rows = [0, 1, 2].map((j) => [
      1,
      100 + j,
      `m${j}`,
      'A',
      'C',
      '.',
      '.',
      '.',
      'GT:DS',
      ...calls(j).map((dosage) => `${dosage === 1 ? '0/1' : '0/0'}:${dosage}`),
    ]);
    const lead = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
    const header = [...lead, ...Array.from({ length: 12 }, (_, line) => `L${line}`)];
    await writeFile(path, `##fileformat=VCFv4.2\n${[header, ...rows].map((row) => `${row.join('\t')}\n`).join('')}`);
    await uploadFile(page, path, 'Genotype');
    await expect(page.getByRole('row', { name: /imputed\.vcf/ })).toContainText('ready', { timeout: 60_000 });
    await page.getByRole('link', { name: /imputed\.vcf/ }).click();
    await expect(page.getByText('Fractional calls')).toBeHidden();
    await page.getByRole('checkbox', { name: /^Read dosages/ }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Apply and check again' }).click();
    await expect(page.getByText('Fractional calls')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Export genotypes…' }).click();
    const dialog = page.getByRole('dialog');
    const warning = dialog.getByText('16 calls of 2 markers have fractional dosages');
    await expect(dialog.getByRole('radio', { name: 'VCF', exact: true })).toBeChecked();
    await expect(warning).toBeHidden();
    await dialog.getByRole('radio', { name: 'HapMap' }).check();
    await expect(warning).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('radio', { name: 'Numbers, markers in rows' }).check();
    await expect(warning).toBeHidden();
  },
);
