import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { expectAccessible, pickFile, signInWithProject } from './support/journeys.ts';

/** A simulated autotetraploid population, free to use. */
const SIM4X = join(import.meta.dirname, '../packages/statgen/reference/sim4x');
const textOf = (name: string): string => gunzipSync(readFileSync(join(SIM4X, name))).toString();

test('a table of tetraploids is refused until its ploidy is said, then shown by classes of dosage', async ({
  page,
}, info) => {
  await signInWithProject(page, 'ploidy', {});
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  const path = info.outputPath('potatoes.csv');
  await writeFile(path, 'marker,chrom,pos,a,b,c\nm1,1,10,0,4,3\nm2,1,20,1,NA,2\n');
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(path);
  await dialog.getByLabel(/^Type of/).selectOption({ label: 'Genotype' });
  await expect(dialog.getByLabel(/^Ploidy/)).toHaveValue('');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
  await expect(page.getByRole('row', { name: /potatoes\.csv/ })).toContainText('invalid', { timeout: 60_000 });
  await page.getByRole('link', { name: /potatoes\.csv/ }).click();
  await expect(page.getByText('Say the ploidy of the plants: 4 or more')).toBeVisible();
  await page.getByLabel('Ploidy', { exact: true }).selectOption('4');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Apply and check again' }).click();
  await expect(page.getByRole('heading', { name: 'Classes of dosage' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('4 (tetraploid)')).toBeVisible();
  await expectAccessible(page);
});

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
  // The dialogs propose the newest genotype, which is that of the parents.
  await page.getByRole('link', { name: 'Models' }).first().click();
  await page.getByRole('button', { name: 'Train model' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByLabel('Model name').fill('Potatoes');
  await pickFile(page, 'Genotype file', 'sim4x.vcf.gz');
  await expect(dialog.getByRole('row', { name: 'In both 290' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Train model' }).click();
  await expect(page.getByRole('heading', { name: 'Potatoes' })).toBeVisible();
  const [model] = (await call('GET', `/projects/${projectId}/models`)).data;
  await expect
    .poll(async () => JSON.stringify((await call('GET', `/projects/${projectId}/models/${model.id}`)).status), {
      timeout: 120_000,
    })
    .not.toMatch(/TRAINING|EVALUATING|TRAINED/);
  await expectAccessible(page);

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
  await dialog.getByRole('button', { name: 'Run GWAS' }).click();
  await expect(page.getByRole('heading', { name: 'Manhattan plot: y' })).toBeVisible({ timeout: 120_000 });
  await page.getByLabel('Model shown').selectOption({ label: 'gene action general (F)' });
  await expect(page.getByRole('heading', { name: 'Manhattan plot: y · general' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Hits by P3D')).toBeVisible();
  await page.getByRole('table', { name: 'Markers' }).getByRole('row').nth(1).click();
  await expect(page.getByRole('row', { name: /^[ACGT](?:\/[ACGT]){3} / }).first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Crossing Simulation' }).first().click();
  await page.getByRole('button', { name: 'Simulate crosses' }).first().click();
  await dialog.getByLabel('Simulation name').fill('Potatoes');
  // The phased genotype of the parents takes the place of the model's.
  await expect(dialog.getByLabel('Genotype of the parents', { exact: true })).toHaveValue('parents.vcf');
  await expect(dialog.getByLabel('Population type')).toBeHidden();
  await dialog.getByText('Quadrivalents', { exact: true }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Simulate crosses' }).click();
  await expect(page.getByRole('heading', { name: 'Mean against spread: y' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('row', { name: /P03_self/ }).first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Crossing Plans' }).first().click();
  await page.getByRole('button', { name: 'Plan crosses' }).first().click();
  await dialog.getByLabel('Plan name').fill('Potatoes');
  await pickFile(page, 'Genotype of the candidates', 'parents.vcf');
  await expect(dialog.getByLabel('Population type').locator('option')).toHaveCount(2);
  await dialog.getByLabel('Crosses', { exact: true }).fill('4');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Plan crosses' }).click();
  await expect(page.getByRole('table', { name: 'Crosses' }).getByRole('row')).toHaveCount(5, { timeout: 120_000 });
  await expectAccessible(page);
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
