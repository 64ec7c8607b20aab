import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { expectAccessible, pickFile, signInWithProject } from './support/journeys.ts';

/** A simulated autotetraploid population, free to use. */
const SIM4X = join(import.meta.dirname, '../packages/statgen/reference/sim4x');
const textOf = (name: string): string => gunzipSync(readFileSync(join(SIM4X, name))).toString();

test('tetraploids are trained on, scanned and crossed as diploids are', { tag: '@whole' }, async ({ page }, info) => {
  test.setTimeout(300_000);
  const parents = info.outputPath('parents.vcf');
  await writeFile(parents, phasedParents());
  const crosses = info.outputPath('crosses.csv');
  await writeFile(crosses, 'name,female,male,type\nP01_P02,P01,P02,\nP02_P05,P02,P05,\nP03_self,P03,,self\n');
  const { projectId, call } = await signInWithProject(page, 'tetraploids', {
    [join(SIM4X, 'sim4x.vcf.gz')]: 'GENOTYPE',
    [join(SIM4X, 'phenotypes.csv')]: 'PHENOTYPE',
    [parents]: 'GENOTYPE',
    [crosses]: 'CROSSING_TABLE',
  });
  const dialog = page.getByRole('dialog').first();
  await page.getByRole('link', { name: 'GWAS', exact: true }).first().click();
  await page.getByRole('button', { name: 'Run GWAS' }).first().click();
  await dialog.getByLabel('GWAS name').fill('Potatoes');
  await pickFile(page, 'Genotype file', 'sim4x.vcf.gz');
  await expect(dialog.getByRole('row', { name: 'In both 290' })).toBeVisible();
  await expect(dialog.getByLabel('Test dominance too')).toBeDisabled();
  await dialog.getByLabel('Gene actions').first().click();
  await page.getByRole('option', { name: /^1-dom-alt/ }).click();
  await page.getByRole('option', { name: /^general/ }).click();
  await page.keyboard.press('Escape');
  await page.screenshot({ path: '/tmp/polyt/dialog.png', fullPage: true });
  await dialog.getByRole('button', { name: 'Run GWAS' }).click();
  await expect(page.getByRole('heading', { name: 'Manhattan plot: y' })).toBeVisible({ timeout: 120_000 });
  await page.getByLabel('Model shown').selectOption({ label: 'gene action general (F)' });
  await expect(page.getByRole('heading', { name: 'Manhattan plot: y · general' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Hits by P3D')).toBeVisible();
  for (const [w, scheme] of [
    [1440, 'light'],
    [768, 'dark'],
    [360, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: w, height: 900 });
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/polyt/gwas-${w}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('table', { name: 'Markers' }).getByRole('row').nth(1).click();
  await expect(page.getByRole('row', { name: /^[ACGT](?:\/[ACGT]){3} / }).first()).toBeVisible();
  await expectAccessible(page);
  for (const [w, scheme] of [
    [1440, 'light'],
    [768, 'dark'],
    [360, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: w, height: 900 });
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/polyt/marker-${w}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

/** The homologs of the parents, in order, as a VCF. */
function phasedParents(): string {
  const [head = '', ...rows] = textOf('phased_parents.csv.gz').trim().split('\n');
  const [, ...places] = readFileSync(join(SIM4X, 'map.csv'), 'utf8').trim().split('\n');
  const placeOf = new Map(places.map((line) => [line.split(',')[0], line.split(',')]));
  const columns = readFileSync(join(SIM4X, 'map.csv'), 'utf8').split('\n', 1)[0]?.split(',') ?? [];
  const [chrom, pos] = ['chrom', 'pos'].map((name) => columns.indexOf(name));
  const names = head.split(',').slice(1);
  const lead = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
  const lines = rows.map((row) => {
    const [marker = '', ...calls] = row.split(',');
    const place = placeOf.get(marker) ?? [];
    return [place[chrom ?? 0], place[pos ?? 0], marker, 'A', 'G', '.', '.', '.', 'GT', ...calls].join('\t');
  });
  return `##fileformat=VCFv4.3\n${[[...lead, ...names].join('\t'), ...lines].join('\n')}\n`;
}
